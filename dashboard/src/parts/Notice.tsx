import type { ReactNode } from "react";
import styles from "./Notice.module.css";
import type { Tone } from "./Status";

/** Something that must not be overlooked, in place. */
export function Notice({ tone = "warn", title, children }: { tone?: Exclude<Tone, "accent">; title: string; children?: ReactNode }) {
  return (
    <div className={[styles.notice, styles[tone]].join(" ")} role={tone === "bad" || tone === "doubt" ? "alert" : "status"}>
      <p className={styles.title}>{title}</p>
      {children && <div>{children}</div>}
    </div>
  );
}
