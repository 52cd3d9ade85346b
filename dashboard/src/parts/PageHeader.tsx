import type { ReactNode } from "react";
import { useEffect } from "react";
import styles from "./PageHeader.module.css";

type Props = { title: string; sub?: ReactNode; actions?: ReactNode; children?: ReactNode };

/** What a page is, and what can be done on it. Also names the browser's tab. */
export function PageHeader({ title, sub, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Agentwright`;
  }, [title]);
  return (
    <header className={styles.head}>
      <div className={styles.row}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {sub && <p className={styles.sub}>{sub}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </header>
  );
}
