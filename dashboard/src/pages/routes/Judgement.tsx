import type { Explained } from "../../api/routes";
import { Facts } from "../../parts/Facts";
import { Json } from "../../parts/Json";
import { Meter } from "../../parts/Meter";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Status, type Tone } from "../../parts/Status";
import { ToolNames } from "../../parts/ToolNames";
import { share } from "../../words/format";
import { decisionWords, isShare, promiseWords, sure } from "./lab";
import styles from "./Routes.module.css";

/** What would become of a request: the decision first, then everything it rests on. */
export function Judgement({ explained }: { explained: Explained }) {
  const { tone, shape, words } = decisionWords(explained.decision);
  const { certificate } = explained;
  return (
    <div className={styles.judgement} aria-live="polite">
      <div className={styles.verdict}>
        <Status status={shape} word={explained.decision} tone={tone as Tone} />
        <p>{words}</p>
        <Facts
          across
          facts={[
            ["Role", explained.role],
            ["Confidence", sure(explained.confidence)],
            ["Promised from", certificate?.threshold != null && share(certificate.threshold, 1)],
          ]}
        />
        <Meter label={`confidence ${sure(explained.confidence)}`} share={explained.confidence} tone={tone as Tone} mark={certificate?.threshold ?? undefined} />
        <p className="quiet">{promiseWords(certificate)}</p>
      </div>
      <Section title={explained.parts.length > 1 ? `What it wants: ${explained.parts.length} things` : "What it wants"}>
        {explained.parts.map((part, at) => (
          <div key={at} className={styles.part}>
            <p>
              {part.then && <span className="quiet">then </span>}
              <SafeText text={part.text} /> <span className="quiet">{part.role}, {sure(part.confidence)}</span>
            </p>
            {part.condition && <p className="quiet">only if {part.condition}</p>}
            {part.missing && <p>It would ask: <SafeText text={part.missing.question} /></p>}
            {part.act && (
              <>
                <ToolNames names={[part.act.tool]} />
                <Json value={part.act.arguments ?? {}} />
              </>
            )}
          </div>
        ))}
      </Section>
      <div className={styles.columns}>
        <Section title="What it rests on">
          <Bars label="Signals" rows={(explained.signals ?? []).map((signal) => ({ name: signal.name, says: signal.says, value: signal.value }))} />
        </Section>
        <Section title="Nearest examples">
          <Bars label="Nearest examples" rows={explained.nearest.map((near) => ({ name: near.text, says: near.role, value: near.likeness }))} />
        </Section>
        <Section title="Labels">
          <Bars label="Labels" rows={explained.labels.map(([name, value]) => ({ name, value }))} />
        </Section>
      </div>
    </div>
  );
}

type Row = { name: string; says?: string; value: number };

function Bars({ label, rows }: { label: string; rows: Row[] }) {
  if (rows.length === 0) return <p className="quiet">Nothing.</p>;
  return (
    <ul className={styles.bars} aria-label={label}>
      {rows.map((row, at) => (
        <li key={at}>
          <span className={styles.barWords}>
            <SafeText text={row.name} />
            {row.says && <span className="quiet"> {row.says}</span>}
          </span>
          <span className="number">{isShare(row.value) ? small(row.value) : row.value.toLocaleString("en", { maximumFractionDigits: 2 })}</span>
          {isShare(row.value) && <Meter label={`${row.name}: ${small(row.value)}`} share={row.value} />}
        </li>
      ))}
    </ul>
  );
}

function small(value: number): string {
  return value > 0 && value < 0.001 ? "<0.1%" : sure(value);
}
