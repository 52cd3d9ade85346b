import type { ReactNode } from "react";
import { Link } from "wouter";
import { Icon } from "./Icon";
import styles from "./Split.module.css";

type Props = { list: ReactNode; /** What of the list is open; on narrow screens it stands in the list's place. */ children?: ReactNode; back: string; backTo: string };

/** A list, and beside it what is chosen from it. */
export function Split({ list, children, back, backTo }: Props) {
  return (
    <div className={[styles.split, children ? styles.open : ""].join(" ")}>
      <div className={styles.list}>{list}</div>
      {children && (
        <div className={styles.detail}>
          <Link href={backTo} className={styles.back}>
            <Icon name="left" />
            {back}
          </Link>
          {children}
        </div>
      )}
    </div>
  );
}
