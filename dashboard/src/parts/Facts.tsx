import type { ReactNode } from "react";
import styles from "./Facts.module.css";

/** Names and values. What is nothing is left out. */
export function Facts({ facts, across }: { facts: [string, ReactNode][]; /** Side by side instead of one a line. */ across?: boolean }) {
  return (
    <dl className={across ? styles.across : styles.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
        .map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
