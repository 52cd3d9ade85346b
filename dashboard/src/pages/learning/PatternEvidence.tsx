import type { Pattern } from "../../api/learning";
import { Facts } from "../../parts/Facts";
import { Id } from "../../parts/Id";
import { Interval } from "../../parts/Interval";
import { share } from "../../words/format";
import { between, points, rate, support } from "./learnt";
import styles from "./Learning.module.css";

/** What a pattern rests on, in numbers, and traces to look at. */
export function PatternEvidence({ pattern }: { pattern: Pattern }) {
  const { evidence } = pattern;
  const [low, high] = evidence.interval;
  const traces = support(evidence);
  const [good, bad] = evidence.examples;
  return (
    <div className={styles.evidence}>
      <Interval low={low} estimate={evidence.effect} high={high} label={`${points(evidence.effect)}, between ${between(low, high)}`} />
      <Facts
        facts={[
          ["Difference", `${points(evidence.effect)}, between ${between(low, high)}`],
          ["With it", `${rate(evidence.with_success, traces.with)} of ${traces.with} succeed`],
          ["Without it", `${rate(evidence.without_success, traces.without)} of ${traces.without} succeed`],
          ["Confidence", share(evidence.confidence, 1)],
          ["By accident", chance(evidence.p)],
          ["After all looks", chance(evidence.q)],
          ["Users", evidence.users || undefined],
          ["Sources", Object.entries(evidence.sources).map(([source, many]) => `${source} (${many})`).join(", ")],
          ["Went well", good.length > 0 && <Ids ids={good} />],
          ["Went wrong", bad.length > 0 && <Ids ids={bad} />],
        ]}
      />
    </div>
  );
}

function Ids({ ids }: { ids: string[] }) {
  return (
    <span className={styles.ids}>
      {ids.map((id) => (
        <Id key={id} id={id} />
      ))}
    </span>
  );
}

function chance(p: number): string {
  return p < 0.0001 ? "less than 1 in 10,000" : share(p, 2);
}
