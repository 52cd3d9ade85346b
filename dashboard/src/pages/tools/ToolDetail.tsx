import { useTool, type ToolPage } from "../../api/tools";
import { Asked } from "../../parts/Asked";
import { Facts } from "../../parts/Facts";
import { Json } from "../../parts/Json";
import { Notice } from "../../parts/Notice";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Ticked } from "../../parts/Ticked";
import { count, duration, money, share } from "../../words/format";
import { EffectMark } from "./EffectMark";
import { Parameters } from "./Parameters";
import { parameters } from "./shelf";
import styles from "./Tools.module.css";

/** Everything about one tool. */
export function ToolDetail({ name }: { name: string }) {
  const tool = useTool(name);
  return (
    <Asked query={tool} lines={8}>
      {(found) => (
        <article className={styles.stack}>
          <h2 className={styles.title}>{found.name}</h2>
          <p>
            <SafeText text={found.description} />
          </p>
          {found.quarantined && (
            <Notice tone="warn" title="It may not be called until a person has looked at it.">
              <Ticked text={found.quarantined} />
            </Notice>
          )}
          <Facts
            across
            facts={[
              ["Effect", <EffectMark key="effect" tool={{ effect: found.effect }} />],
              ["Can be taken back", found.writes && (found.writes.reversible ? "yes" : "no")],
              ["Leaves this machine", found.writes && (found.writes.external ? "yes" : "no")],
              ["From", found.source],
              ["May take", found.timeout_seconds != null && duration(found.timeout_seconds * 1000)],
            ]}
          />
          <Calls record={found.record} />
          <Section title="Parameters">
            <Parameters parameters={parameters(found.parameters)} nothing="It takes none." />
          </Section>
          {found.returns && (
            <Section title="What it brings">
              <Parameters parameters={parameters(found.returns)} nothing="Whatever it likes." />
            </Section>
          )}
          <details>
            <summary>As JSON schema</summary>
            <Json value={{ parameters: found.parameters, returns: found.returns }} open={2} />
          </details>
        </article>
      )}
    </Asked>
  );
}

function Calls({ record }: { record: ToolPage["record"] }) {
  if (!record) return <p className="quiet">It was not called yet.</p>;
  return (
    <Facts
      across
      facts={[
        ["Calls", count(record.calls)],
        ["Failed", `${count(record.failures)} (${share(record.failures / Math.max(record.calls, 1), 1)})`],
        ["Half within", duration(record.p50_ms)],
        ["95 in 100 within", duration(record.p95_ms)],
        ["Cost", record.usd != null && money(record.usd)],
      ]}
    />
  );
}
