import type { Run } from "../../api/types";
import type { RunState } from "../../ledger/state";
import { Facts } from "../../parts/Facts";
import { Id } from "../../parts/Id";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { count, duration, money, words } from "../../words/format";
import { isOver } from "../../words/run";
import styles from "./ComparedRun.module.css";

type Props = { letter: "A" | "B"; run: Run; state: RunState; other: Run };

/** One of two runs; figures that are better than the other's say by how much. */
export function ComparedRun({ letter, run, state, other }: Props) {
  const took = span(run);
  // What is not over yet is not cheaper.
  const over = isOver(run.status) && isOver(other.status);
  const less = (own: number, others: number) =>
    over && own < others ? ` (${Math.round((1 - own / others) * 100)}% less)` : "";
  return (
    <section className={styles.side} aria-label={`Run ${letter}`}>
      <header className={styles.head}>
        <strong>{letter}</strong>
        <Id id={run.run} />
        <Status status={run.status} />
      </header>
      <p className={styles.text}>
        <SafeText text={run.text} />
      </p>
      <Facts
        facts={[
          ["Route", state.routed && `${state.routed.data.route}, ${words(state.routed.data.strategy)}`],
          ["Took", `${duration(took)}${less(took, span(other))}`],
          ["Cost", `${money(run.spent.cost)}${less(run.spent.cost, other.spent.cost)}`],
          [
            "Tokens",
            `${count(run.spent.input_tokens + run.spent.output_tokens)}${less(run.spent.input_tokens + run.spent.output_tokens, other.spent.input_tokens + other.spent.output_tokens)}`,
          ],
          ["Calls", `${run.spent.model_calls} model, ${run.spent.tool_calls} tool`],
          ["Quality", run.quality?.toFixed(2)],
          ["Plans", state.plans.length],
          ["Asked", <When key="asked" at={run.created_at} />],
        ]}
      />
    </section>
  );
}

function span(run: Run): number {
  return Date.parse(run.updated_at) - Date.parse(run.created_at);
}
