import type { Run } from "../../api/types";
import type { RunState } from "../../ledger/state";
import { Prose } from "../../parts/Prose";
import { SafeText } from "../../parts/SafeText";
import styles from "./Answer.module.css";
import { Rating } from "../../questions/Rating";

/** What came of it. */
export function Answer({ run, state }: { run: Run; state: RunState }) {
  const { ending } = state;
  const answer = ending && "answer" in ending ? ending.answer : run.answer;
  const error =
    ending?.status === "failed"
      ? ending.error
      : ending?.status === "cancelled"
        ? (ending.reason ?? "it was cancelled")
        : run.error;
  if (!answer && !error) return null;
  return (
    <section className={styles.answer} aria-label="Answer" data-bad={error ? true : undefined}>
      <div className={styles.words}>
        {error && (
          <p className={styles.error}>
            <SafeText text={error} />
          </p>
        )}
        {answer && <Prose text={answer} />}
      </div>
      <Rating run={run.run} />
    </section>
  );
}
