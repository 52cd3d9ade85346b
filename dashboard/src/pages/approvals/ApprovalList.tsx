import { Link } from "wouter";
import type { Proposal } from "../../api/proposal";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { sentence } from "../../words/sentence";
import styles from "./Approvals.module.css";
import { afterGoal, decidedWords, said } from "./inbox";

type Props = { proposals: Proposal[]; selected?: string; place: (id: string) => string };

export function ApprovalList({ proposals, selected, place }: Props) {
  return (
    <ul className={styles.list} aria-label="Approvals">
      {proposals.map((proposal) => (
        <li key={proposal.id}>
          <Link href={place(proposal.id)} className={styles.item} aria-current={proposal.id === selected || undefined}>
            <span className={styles.line}>
              <Status status={proposal.risk} word={`${proposal.risk} risk`} plain />
              <span className="quiet">
                <When at={proposal.asked_at} />
              </span>
            </span>
            <span className={styles.summary}>
              <SafeText text={sentence(proposal.plan?.goal || proposal.summary)} />
              {proposal.plan?.goal && (
                <span className="quiet">
                  {" "}
                  <SafeText text={sentence(afterGoal(proposal))} />
                </span>
              )}
            </span>
            <span className={styles.line}>
              <span className="quiet">{proposal.kind === "plan" ? `plan, version ${proposal.plan_version}` : `call of ${proposal.tool}`}</span>
              {proposal.status !== "pending" && (
                <Status status={proposal.status} tone={said(proposal) === "reject" ? "bad" : undefined} word={proposal.decided && decidedWords(proposal.decided)} plain />
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
