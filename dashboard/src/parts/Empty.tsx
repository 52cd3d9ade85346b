import type { ReactNode } from "react";
import styles from "./Empty.module.css";

/** Nothing is there, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.words}>{children}</div>}
    </div>
  );
}
