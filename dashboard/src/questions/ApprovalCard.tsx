import { Link } from "wouter";
import { useApproval, useDecide } from "../api/approvals";
import { useMay } from "../api/session";
import { Button } from "../parts/Button";
import { Failing } from "../parts/Failing";
import { Loading } from "../parts/Loading";
import { SafeText } from "../parts/SafeText";
import { Status } from "../parts/Status";
import { toastProblem } from "../parts/Toast";
import styles from "./Questions.module.css";

/** What a run may not do by itself, short: all of it is on the page of the approval. */
export function ApprovalCard({ id }: { id: string }) {
  const approval = useApproval(id);
  const decide = useDecide();
  const may = useMay("approver");
  if (!approval.data) {
    return approval.isError ? (
      <Failing error={approval.error} again={() => void approval.refetch()} />
    ) : (
      <Loading lines={2} />
    );
  }
  const { summary, why, risk, hash, status, effects } = approval.data;
  if (status !== "pending") return null;
  const say = (decision: "approve" | "reject") =>
    decide.mutate({ approval: id, decision, hash }, { onError: toastProblem });
  return (
    <section className={styles.card} aria-label="An approval">
      <p className={styles.question}>
        <SafeText text={summary} />
      </p>
      <p className={styles.why}>
        <Status status={risk} word={`${risk} risk`} />
        <span>
          Asked because <SafeText text={why} />.
        </span>
      </p>
      {effects.length > 0 && (
        <ul className={styles.effects}>
          {(effects as unknown as { words: string; reversible: boolean; external: boolean }[]).map((effect, at) => (
            <li key={at}>
              <SafeText text={effect.words} />
              <span className="quiet">
                {effect.reversible ? "" : ", cannot be taken back"}
                {effect.external ? ", leaves this machine" : ""}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.row}>
        <Button look="primary" busy={decide.isPending} disabled={!may} onClick={() => say("approve")}>
          Approve
        </Button>
        <Button disabled={!may || decide.isPending} onClick={() => say("reject")}>
          Reject
        </Button>
        <Link href={`/approvals/${id}`}>Look closer or edit</Link>
        {!may && <span className="quiet">An approver decides this.</span>}
      </div>
    </section>
  );
}
