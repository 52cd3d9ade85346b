import { useTrace, type TraceStep } from "../../api/traces";
import { Asked } from "../../parts/Asked";
import { Facts } from "../../parts/Facts";
import { Id } from "../../parts/Id";
import { Json } from "../../parts/Json";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { duration, plural } from "../../words/format";
import styles from "./Learning.module.css";
import { Predicted } from "./Predicted";
import { RevokeSource } from "./RevokeSource";

/** Everything that has arrived of a trace. */
export function TracePage({ id }: { id: string }) {
  const trace = useTrace(id);
  return (
    <Asked query={trace} lines={8}>
      {(found) => (
        <article className={styles.stack}>
          {found.context && (
            <h2 className={styles.title}>
              <SafeText text={found.context} />
            </h2>
          )}
          <Facts
            across
            facts={[
              ["Trace", <Id key="id" id={found.id} copy />],
              ["Ended", found.outcome?.success !== undefined && <Status status={found.outcome.success ? "completed" : "failed"} word={found.outcome.success ? "success" : "failure"} />],
              ["Agent", found.agent],
              ["Problem", found.problem],
              ["System", found.system],
              ["User", found.user],
              ["From", <span key="source" className="mono">{found.source}</span>],
              ["Began", <When key="began" at={found.started_at} />],
              ["Was told", found.lessons.length > 0 && plural(found.lessons.length, "lesson")],
            ]}
          />
          {found.outcome?.answer !== undefined && (
            <Section title="What came of it">
              <Json value={found.outcome.answer} />
            </Section>
          )}
          <Predicted trace={id} />
          <Section title={`What was done: ${plural(found.steps.length, "step")}`}>
            <ol className={styles.points}>
              {found.steps.map((step, at) => (
                <li key={at}>
                  <StepLine step={step} />
                </li>
              ))}
            </ol>
            {found.left_out > 0 && <p className="quiet">{plural(found.left_out, "step")} in the middle were left out.</p>}
          </Section>
          {found.source !== "own" && (
            <div>
              <RevokeSource source={found.source} />
            </div>
          )}
        </article>
      )}
    </Asked>
  );
}

function StepLine({ step }: { step: TraceStep }) {
  const { kind, ...rest } = step;
  return (
    <details>
      <summary>
        <span className="quiet">{kind}</span> <strong className="mono">{typeof step.tool === "string" ? <SafeText text={step.tool} /> : null}</strong>{" "}
        {step.ended === "done" ? null : typeof step.ended === "string" && <Status status="failed" word={step.ended} plain />}
        <span className="quiet">{typeof step.millis === "number" && duration(step.millis)}</span>
      </summary>
      <Json value={rest} open={2} />
    </details>
  );
}
