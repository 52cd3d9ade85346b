import type { PlanDraft } from "../../api/proposal";
import { SafeText } from "../../parts/SafeText";
import { ToolNames } from "../../parts/ToolNames";
import styles from "./Approvals.module.css";

/** A plan as a list: what each step is for, what it calls or may call, and what it waits for. */
export function Steps({ plan }: { plan: PlanDraft }) {
  return (
    <ol className={styles.steps}>
      {plan.steps.map((step, at) => (
        <li key={step.id ?? at}>
          <span className={styles.step}>{step.id ?? at + 1}</span>
          <div className={styles.stepBody}>
            {step.goal && (
              <p>
                <SafeText text={step.goal} />
              </p>
            )}
            <ToolNames names={step.tool ? [step.tool] : (step.tools ?? [])} />
            {step.arguments !== undefined && (
              <code className={styles.arguments}>
                <SafeText text={JSON.stringify(step.arguments)} />
              </code>
            )}
            <p className="quiet">
              {[step.agent && `by ${step.agent}`, step.depends_on?.length && `after ${step.depends_on.join(", ")}`, step.when && `only if ${step.when}`]
                .filter(Boolean)
                .join(" · ")}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
