import type { ReactNode } from "react";
import styles from "./Section.module.css";

type Props = { title: string; actions?: ReactNode; children: ReactNode; /** Drawn on a surface with a border. */ boxed?: boolean };

/** A part of a page with a heading. */
export function Section({ title, actions, children, boxed }: Props) {
  return (
    <section className={[styles.section, boxed ? styles.boxed : ""].join(" ")} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
