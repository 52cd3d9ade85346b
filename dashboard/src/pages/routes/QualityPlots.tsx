import { useMemo } from "react";
import { useQuality, useRoles, type Quality } from "../../api/routes";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Facts } from "../../parts/Facts";
import { Select } from "../../parts/Field";
import { Plot } from "../../parts/Plot";
import { Section } from "../../parts/Section";
import { useAddress } from "../../words/address";
import { count, share } from "../../words/format";
import { bestCoverage, byCoverage, calibrationError } from "./lab";
import styles from "./Routes.module.css";

/** How sure answers are beside how often they are right, for all roles or one. */
export function QualityPlots() {
  const address = useAddress();
  const role = address.get("role") ?? "";
  const quality = useQuality(role || undefined);
  const roles = useRoles().data?.roles ?? [];
  return (
    <div className={styles.stack}>
      <div className={styles.narrow}>
        <Select
          label="Whose answers"
          value={role}
          onChange={(event) => address.set({ role: event.target.value })}
          options={[{ value: "", label: "All roles" }, ...roles.map(({ name }) => ({ value: name, label: name }))]}
        />
      </div>
      <Asked
        query={quality}
        nothing={(found) => found.examples === 0}
        empty={<Empty title="No labelled requests.">Reliability is measured on requests whose right role is known.</Empty>}
      >
        {(found) => <Plots quality={found} />}
      </Asked>
    </div>
  );
}

const ENOUGH = 5;
const percent = (value: number) => share(value);
const fine = (value: number) => share(value, 1);

function Plots({ quality }: { quality: Quality }) {
  const best = bestCoverage(quality);
  const reliable = useMemo(() => {
    const bars = quality.reliability.filter((bar) => bar.count >= ENOUGH).toSorted((a, b) => a.confidence - b.confidence);
    const x = [0, ...bars.map((bar) => bar.confidence), 1];
    return {
      x,
      series: [
        { label: "as sure as right", values: x, tone: "idle" as const, dashed: true },
        { label: "share that is right", values: [null, ...bars.map((bar) => bar.right), null], tone: "accent" as const, points: true },
      ],
    };
  }, [quality]);
  const risky = useMemo(() => {
    const points = byCoverage(quality.risk_coverage);
    return {
      x: points.map((point) => point.coverage),
      series: [
        { label: "share that is wrong", values: points.map((point) => point.risk), tone: "accent" as const },
        { label: "what it is below, except with chance δ", values: points.map((point) => point.bound), tone: "warn" as const },
        { label: "tolerated (α)", values: points.map(() => quality.alpha), tone: "bad" as const, dashed: true },
      ],
    };
  }, [quality]);
  return (
    <>
      <Facts
        across
        facts={[
          ["Labelled requests", count(quality.examples)],
          ["Tolerated wrong (α)", fine(quality.alpha)],
          ["Chance of more (δ)", percent(quality.delta)],
          ["Answered fast within the bound", best ? percent(best.coverage) : "none"],
          ["At a threshold of", best && fine(best.threshold)],
          ["Mean calibration error", fine(calibrationError(quality.reliability))],
        ]}
      />
      <div className={styles.plots}>
        <Section title="Reliability: how sure it is, and how often it is right">
          <Plot label={`Reliability over ${quality.reliability.length} groups of answers`} height={280} {...reliable} xRange={UNIT} yRange={UNIT} xLabel="confidence" say={percent} sayX={percent} />
          <p className="quiet">Groups of fewer than {ENOUGH} answers say little and are left out.</p>
        </Section>
        <Section title="Risk and coverage: what answering more costs">
          <Plot label="The share of wrong answers by the share of requests answered fast" height={280} {...risky} xRange={UNIT} xLabel="share answered fast" say={fine} sayX={percent} />
        </Section>
      </div>
    </>
  );
}

const UNIT: [number, number] = [0, 1];
