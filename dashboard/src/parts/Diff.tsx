import { changedLines, folded } from "../words/lines";
import styles from "./Diff.module.css";
import { plural } from "../words/format";
import { SafeText } from "./SafeText";

/** Two texts, or two values as JSON, with what went and what came. */
export function Diff({ before, after, label = "What changed" }: { before: unknown; after: unknown; label?: string }) {
  const lines = changedLines(written(before), written(after));
  if (lines.every((line) => line.sign === " ")) return <p className="quiet">Nothing changed.</p>;
  return (
    <pre className={styles.diff} aria-label={label}>
      {folded(lines).map((line, at) =>
        line.sign === "…" ? (
          <span key={at} className={styles.folded}>
            {plural(line.lines, "line")} unchanged
          </span>
        ) : (
        <span key={at} className={line.sign === "+" ? styles.came : line.sign === "-" ? styles.went : styles.stayed}>
          <span className={styles.sign} aria-hidden="true">
            {line.sign}
          </span>
          {line.sign !== " " && <span className="unseen">{line.sign === "+" ? "added: " : "removed: "}</span>}
          <SafeText text={line.text} />
          {"\n"}
        </span>
        ),
      )}
    </pre>
  );
}

function written(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
