import { stepOf, type Event } from "../../ledger/events";
import { isAgent, waitsFor } from "../../ledger/plan";
import { say, statusOf } from "../../ledger/say";
import { planOf, stepIn } from "../../ledger/state";
import { Button } from "../../parts/Button";
import { Empty } from "../../parts/Empty";
import { Facts } from "../../parts/Facts";
import { SafeText } from "../../parts/SafeText";
import { Status, StatusMark } from "../../parts/Status";
import { duration, money, words } from "../../words/format";
import { Block, Brought } from "./Block";
import type { Inspected } from "./Inspector";
import styles from "./Inspector.module.css";
import { Prompt } from "./Prompt";
import rows from "./StepInspector.module.css";

const SHOWN: Event["kind"][] = [
  "model_called",
  "tool_called",
  "intent_settled",
  "waiting",
  "answered",
  "step_finished",
];

/** A step: what it is for, what it took and brought, and what happened in it. */
export function StepInspector({ step: id, state, events, onSelect }: Inspected & { step: string }) {
  const step = stepIn(state, id);
  const plan = planOf(state);
  const now = state.steps.get(id);
  if (!step || !plan) return <Empty title={`No plan has a step ${id}.`} />;
  const inside = events.filter((event) => SHOWN.includes(event.kind) && stepOf(event.key)?.step === id);
  const forged = state.forged.findLast((one) => one.data.step === id);
  const outcome = now?.attempts.at(-1)?.outcome;
  const before = waitsFor(step, plan);
  return (
    <div className={styles.parts}>
      <header className={styles.head}>
        <h2>{id}</h2>
        <Status status={now?.status ?? "pending"} word={!now && state.leftToAgent ? "left to the agent" : undefined} />
        <div className={styles.tools}>
          <Button look="quiet" icon="close" aria-label="Select nothing" onClick={() => onSelect({})} />
        </div>
      </header>
      {step.goal && (
        <p>
          <SafeText text={step.goal} />
        </p>
      )}
      <Facts
        facts={[
          [isAgent(step) ? "Agent" : "Tool", <code key="how">{step.tool ?? step.agent ?? "made for it"}</code>],
          ["May call", isAgent(step) && (step.tools?.join(", ") || "nothing")],
          [
            "Waits for",
            before.length > 0 && <Steps key="before" ids={before} onSelect={(other) => onSelect({ step: other })} />,
          ],
          ["Only if", step.when && <code key="when">{step.when}</code>],
          ["Checked by", step.check && <code key="check">{step.check}</code>],
          ["Should bring", step.expects && <SafeText key="expects" text={step.expects} />],
          ["Attempts", now && now.attempts.length > 1 && now.attempts.length],
          ["Took", took(now?.attempts.at(-1))],
          ["Cost", now && now.cost > 0 && money(now.cost)],
        ]}
      />
      {step.arguments !== undefined && (
        <Block title="Arguments in the plan">
          <Brought value={step.arguments} />
        </Block>
      )}
      {outcome && (
        <Block title={outcome.outcome === "done" ? "Brought" : "Why it brought nothing"}>
          <Brought value={outcome.outcome === "done" ? outcome.output : outcome.reason} />
        </Block>
      )}
      {inside.length > 0 && (
        <Block title="What happened in it">
          <ul className={rows.rows}>
            {inside.map((event) => (
              <li key={event.seq}>
                <button type="button" onClick={() => onSelect({ event: event.seq })}>
                  <StatusMark status={statusOf(event) ?? "done"} />
                  <span className={rows.kind}>{words(event.kind)}</span>
                  <span className={rows.says}>
                    <SafeText text={say(event)} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {(forged ?? step.prompt) && (
        <Block title="What its agent was told">
          <Prompt prompt={forged?.data.prompt ?? step.prompt ?? ""} guidelines={state.guidelines} />
        </Block>
      )}
    </div>
  );
}

function Steps({ ids, onSelect }: { ids: string[]; onSelect: (id: string) => void }) {
  return (
    <span className={styles.links}>
      {ids.map((id) => (
        <button key={id} type="button" className={styles.plain} onClick={() => onSelect(id)}>
          {id}
        </button>
      ))}
    </span>
  );
}

function took(attempt: { from?: string; to?: string } | undefined): string | undefined {
  return attempt?.from && attempt.to ? duration(Date.parse(attempt.to) - Date.parse(attempt.from)) : undefined;
}
