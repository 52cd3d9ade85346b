import type { Proposal } from "../../api/proposal";
import { Json } from "../../parts/Json";
import { Section } from "../../parts/Section";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { ToolNames } from "../../parts/ToolNames";
import { sentence } from "../../words/sentence";
import styles from "./Approvals.module.css";
import { Changed } from "./Changed";
import { Findings } from "./Findings";
import { reachWords } from "./inbox";
import { Steps } from "./Steps";

/** What would be done to the world, by whom, in which steps, and what was proved about it. */
export function Proposed({ proposal }: { proposal: Proposal }) {
  return (
    <>
      <Section title="What it would do">
        {proposal.effects.length === 0 && <p className="quiet">Nothing is changed: it only reads.</p>}
        <ul className={styles.effects}>
          {proposal.effects.map((effect, at) => (
            <li key={at} className={styles.effect}>
              <Status status={effect.reversible ? "medium" : "high"} word={reachWords(effect)} plain />
              <p>
                <SafeText text={sentence(effect.words)} />
              </p>
              <ToolNames names={[effect.tool]} />
            </li>
          ))}
        </ul>
      </Section>
      {proposal.kind === "call" && (
        <Section title="The call">
          <ToolNames names={proposal.tool ? [proposal.tool] : []} />
          <Json value={proposal.arguments} open={3} />
        </Section>
      )}
      {proposal.base_version != null && <Changed proposal={proposal} />}
      {proposal.plan && (
        <Section title="The plan">
          <Steps plan={proposal.plan} />
        </Section>
      )}
      {proposal.agents.length > 0 && (
        <Section title={proposal.agents.length === 1 ? "Who carries it out" : `Who carries it out: ${proposal.agents.length} agents`}>
          {proposal.agents.map((agent) => (
            <div key={`${agent.step}/${agent.id}`} className={styles.agent}>
              <p>
                <strong className="mono">{agent.id}</strong> <SafeText text={agent.description} />
                {agent.why && <span className="quiet"> ({agent.why})</span>}
              </p>
              <ToolNames names={agent.tools} />
              <details open={agent.prompt.length < 400}>
                <summary>What it is told</summary>
                <pre className={styles.prompt}>
                  <SafeText text={agent.prompt} />
                </pre>
              </details>
            </div>
          ))}
        </Section>
      )}
      {proposal.findings.length > 0 && (
        <Section title="What was proved about it">
          <Findings findings={proposal.findings} />
        </Section>
      )}
    </>
  );
}
