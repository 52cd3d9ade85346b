import { usePlanDiff } from "../../api/runs";
import type { EventOf } from "../../ledger/events";
import { Empty } from "../../parts/Empty";
import { Failing } from "../../parts/Failing";
import { Select } from "../../parts/Field";
import { Loading } from "../../parts/Loading";
import { SafeText } from "../../parts/SafeText";
import { useAddress } from "../../words/address";
import { plural } from "../../words/format";
import { PlanChanges } from "./PlanChanges";
import styles from "./Versions.module.css";

/** All versions of the plan, why each was made, and what differs between two of them. */
export function Versions({ run, plans }: { run: string; plans: EventOf<"planned">[] }) {
  const address = useAddress();
  const newest = plans.length;
  const to = Math.min(Number(address.get("to")) || newest, newest);
  const from = Math.min(Number(address.get("from")) || to - 1, to - 1);
  const diff = usePlanDiff(run, from, to);
  if (newest === 0) return <Empty title="There is no plan yet." />;
  const options = (list: number[]) => list.map((version) => ({ value: String(version), label: `Version ${version}` }));
  return (
    <div className={styles.versions}>
      <ol className={styles.list}>
        {plans.map((planned, at) => (
          <li key={planned.seq} aria-current={at + 1 === to || undefined}>
            <strong>Version {at + 1}</strong>
            <span className="quiet">{plural(planned.data.plan.steps.length, "step")}</span>
            <p>
              <SafeText
                text={planned.data.because ? `Because ${planned.data.because}` : (planned.data.plan.goal ?? "")}
              />
            </p>
          </li>
        ))}
      </ol>
      {newest === 1 ? (
        <p className="quiet">It was planned once; there is nothing to compare.</p>
      ) : (
        <>
          <div className={styles.choose}>
            <Select
              label="From"
              bare
              value={String(from)}
              onChange={(event) => address.set({ from: event.target.value })}
              options={options(range(1, to - 1))}
            />
            <span>to</span>
            <Select
              label="To"
              bare
              value={String(to)}
              onChange={(event) => address.set({ to: event.target.value, from: undefined })}
              options={options(range(2, newest))}
            />
          </div>
          {diff.isPending ? (
            <Loading />
          ) : diff.isError ? (
            <Failing error={diff.error} again={() => void diff.refetch()} />
          ) : (
            <PlanChanges diff={diff.data.diff} />
          )}
        </>
      )}
    </div>
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at);
}
