import { useCycles, type Cycle } from "../../api/learning";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Facts } from "../../parts/Facts";
import { Section } from "../../parts/Section";
import { Ticked } from "../../parts/Ticked";
import { When } from "../../parts/When";
import { count, duration, plural, share } from "../../words/format";
import { sentence } from "../../words/sentence";
import styles from "./Learning.module.css";

/** What became of each cycle, newest first. */
export function Cycles() {
  const cycles = useCycles();
  return (
    <Asked query={cycles} nothing={(found) => found.cycles.length === 0} empty={<Empty title="There was no cycle yet." />}>
      {(found) => (
        <div className={styles.stack}>
          {found.cycles.map((cycle) => (
            <Section key={cycle.cycle} title={`Cycle ${cycle.cycle}`} boxed actions={<span className="quiet"><When at={cycle.ended_at} /></span>}>
              <Report cycle={cycle} />
            </Section>
          ))}
        </div>
      )}
    </Asked>
  );
}

function Report({ cycle }: { cycle: Cycle }) {
  const found = Object.entries(cycle.found);
  return (
    <div className={styles.evidence}>
      <Facts
        across
        facts={[
          ["New or changed", Object.entries(cycle.seen).map(([what, many]) => `${count(many)} ${what}`).join(", ") || "none"],
          ["Rests on", plural(cycle.traces, "trace")],
          ["Succeeded", cycle.traces > 0 && share(cycle.successes / cycle.traces)],
          ["Patterns", found.map(([family, many]) => `${many} ${family}`).join(", ") || "none"],
          ["Took", duration(Date.parse(cycle.ended_at) - Date.parse(cycle.started_at))],
        ]}
      />
      <Sentences title="What changed" lines={cycle.changed} />
      <Sentences title="What did not" lines={cycle.not_changed} />
      <Sentences title="What got worse" lines={(cycle.alerts ?? []).map((alert) => alert.words)} />
    </div>
  );
}

function Sentences({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles.sentences}>
        {lines.map((line, at) => (
          <li key={at}>
            <Ticked text={sentence(line)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
