import type { ReactNode } from "react";
import { Json } from "../../parts/Json";
import { SafeText } from "../../parts/SafeText";
import styles from "./Inspector.module.css";

/** A named part of the inspector. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.block} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A value that a tool or a model brought: words as words, everything else as a tree. */
export function Brought({ value }: { value: unknown }) {
  return (
    <div className={styles.text} tabIndex={0}>
      {typeof value === "string" ? <SafeText text={value} /> : <Json value={value} />}
    </div>
  );
}
