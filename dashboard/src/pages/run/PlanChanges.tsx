import type { FieldChange, PlanDiff, Step } from "../../ledger/plan";
import { Diff } from "../../parts/Diff";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import styles from "./PlanChanges.module.css";

/** What differs between two plans: by step and field, not by line. */
export function PlanChanges({ diff }: { diff: PlanDiff }) {
  const { fields, added, removed, changed } = diff;
  if (fields.length + added.length + removed.length + changed.length === 0)
    return <p className="quiet">They are alike.</p>;
  return (
    <div className={styles.changes}>
      {fields.length > 0 && <Change title="The plan" fields={fields} />}
      {added.map((step) => (
        <Whole key={step.id} step={step} status="added" />
      ))}
      {removed.map((step) => (
        <Whole key={step.id} step={step} status="removed" />
      ))}
      {changed.map((change) => (
        <Change key={change.step} title={change.step} fields={change.fields} />
      ))}
    </div>
  );
}

function Whole({ step, status }: { step: Step; status: "added" | "removed" }) {
  return (
    <section>
      <h3 className={styles.title}>
        {step.id} <Status status={status === "added" ? "done" : "failed"} word={status} />
      </h3>
      <p>
        <SafeText text={step.goal ?? ""} />
      </p>
      <Diff before={status === "added" ? undefined : step} after={status === "added" ? step : undefined} />
    </section>
  );
}

function Change({ title, fields }: { title: string; fields: FieldChange[] }) {
  return (
    <section>
      <h3 className={styles.title}>
        {title} <Status status="retried" word="changed" />
      </h3>
      {fields.map((change) => (
        <div key={change.field} className={styles.field}>
          <span className={styles.name}>{change.field}</span>
          <Diff before={change.before} after={change.after} label={`${title}, ${change.field}`} />
        </div>
      ))}
    </section>
  );
}
