import type { Overview } from "../../api/overview";
import { Icon } from "../../parts/Icon";
import styles from "./Examples.module.css";

/** Something real to do on the first day; it works without a model. */
export function Examples({
  overview,
  onChoose,
  disabled,
}: {
  overview?: Overview;
  onChoose: (text: string) => void;
  disabled: boolean;
}) {
  const examples = overview?.examples ?? [];
  if (examples.length === 0) return null;
  return (
    <>
      <ul className={styles.examples} aria-label="Examples">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" disabled={disabled} onClick={() => onChoose(example)}>
              {example}
              <Icon name="right" />
            </button>
          </li>
        ))}
      </ul>
      {overview && !overview.models && (
        <p className={styles.hint}>
          No model is configured: what is clear is answered at once, and what needs a plan waits for one.{" "}
          <code>agentwright init</code> sets one up.
        </p>
      )}
    </>
  );
}
