import { useState } from "react";
import styles from "./Json.module.css";
import { SafeText } from "./SafeText";

type Props = { value: unknown; /** How many levels are open at first. */ open?: number };

/** Any value, as a tree that opens and closes. */
export function Json({ value, open = 2 }: Props) {
  return (
    <div className={styles.json}>
      <Value value={value} open={open} />
    </div>
  );
}

function Value({ value, open, name }: { value: unknown; open: number; name?: string }) {
  const label = name === undefined ? null : (
    <span className={styles.name}>
      <SafeText text={name} />:{" "}
    </span>
  );
  if (value === null || typeof value !== "object") {
    return (
      <div className={styles.leaf}>
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  return <Branch value={value} open={open} label={label} />;
}

function Branch({ value, open, label }: { value: object; open: number; label: React.ReactNode }) {
  const entries = Object.entries(value);
  const list = Array.isArray(value);
  const [opened, setOpened] = useState(open > 0 && entries.length <= 200);
  const [ends, size] = list ? ["[ ]", `${entries.length}`] : ["{ }", `${entries.length}`];
  if (entries.length === 0) {
    return (
      <div className={styles.leaf}>
        {label}
        {list ? "[]" : "{}"}
      </div>
    );
  }
  return (
    <details className={styles.branch} open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        {label}
        <span className={styles.ends}>
          {ends} {size}
        </span>
      </summary>
      {opened && (
        <div className={styles.inner}>
          {entries.map(([name, inner]) => (
            <Value key={name} name={name} value={inner} open={open - 1} />
          ))}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === "string") {
    return (
      <span className={styles.text}>
        <SafeText text={value} />
      </span>
    );
  }
  return <span className={value === null ? styles.nothing : styles.number}>{String(value)}</span>;
}
