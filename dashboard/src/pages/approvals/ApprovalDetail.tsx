import { useState } from "react";
import { useApproval } from "../../api/approvals";
import { Problem } from "../../api/client";
import { proposalOf, type Proposal } from "../../api/proposal";
import { useRun } from "../../api/runs";
import { Asked } from "../../parts/Asked";
import { Facts } from "../../parts/Facts";
import { Id } from "../../parts/Id";
import { Notice } from "../../parts/Notice";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { Ticked } from "../../parts/Ticked";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import { sentence } from "../../words/sentence";
import styles from "./Approvals.module.css";
import { Decide } from "./Decide";
import { Editor } from "./Editor";
import { afterGoal, decidedWords, estimateWords } from "./inbox";
import { Proposed } from "./Proposed";

type Props = { id: string; onDecided: (id: string) => void };

/** Everything a person should see before they decide, and the four things they can say. */
export function ApprovalDetail({ id, onDecided }: Props) {
  const approval = useApproval(id);
  const address = useAddress();
  const [refused, setRefused] = useState<Problem>();
  const mode = address.get("mode");
  const setMode = (to: string | undefined) => address.set({ mode: to });
  return (
    <Asked query={approval} lines={8}>
      {(found) => {
        const proposal = proposalOf(found);
        return (
          <article className={styles.detail} aria-label="The proposal">
            <Head proposal={proposal} />
            {refused && <Refused problem={refused} />}
            {proposal.decided && <Notice tone="idle" title={`${decidedWords(proposal.decided)}.`}><Reason proposal={proposal} /></Notice>}
            {mode === "edit" && proposal.status === "pending" ? (
              <Editor key={proposal.hash} proposal={proposal} onDone={() => onDecided(id)} onRefused={setRefused} onClose={() => setMode(undefined)} />
            ) : (
              <Proposed proposal={proposal} />
            )}
            {proposal.status === "pending" && mode !== "edit" && (
              <Decide proposal={proposal} mode={mode} setMode={setMode} onDone={() => onDecided(id)} onRefused={setRefused} />
            )}
          </article>
        );
      }}
    </Asked>
  );
}

function Head({ proposal }: { proposal: Proposal }) {
  const request = useRun(proposal.run_id).data?.run.text;
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>
        <SafeText text={sentence(proposal.plan?.goal || proposal.summary)} />
      </h2>
      {proposal.plan?.goal && (
        <p>
          <SafeText text={sentence(afterGoal(proposal))} />
        </p>
      )}
      <p>
        <Ticked text={sentence(`Asked because ${proposal.why}`)} />
      </p>
      <Facts
        across
        facts={[
          ["Risk", <Status key="risk" status={proposal.risk} />],
          ["Status", <Status key="status" status={proposal.status} />],
          ["Run", <Id key="run" id={proposal.run_id} />],
          ["Request", request && <SafeText text={request} />],
          ["Expected", proposal.estimate && estimateWords(proposal.estimate)],
          ["Asked", <When key="asked" at={proposal.asked_at} />],
          ["Expires", proposal.status === "pending" && proposal.expires_at && <When at={proposal.expires_at} />],
          ["Rule", proposal.rule && !proposal.why.includes(proposal.rule) && <Ticked text={proposal.rule} />],
        ]}
      />
    </header>
  );
}

function Reason({ proposal }: { proposal: Proposal }) {
  const answer = proposal.decided?.answer;
  const words = typeof answer === "object" ? (answer.message ?? answer.reason) : undefined;
  return words ? <SafeText text={words} /> : null;
}

/** What stood in the way of a decision; the proposal below is how it stands now. */
function Refused({ problem }: { problem: Problem }) {
  if (problem.code === "stale") return <Notice title="This has changed since you looked.">Below is what is proposed now. Nothing was decided.</Notice>;
  if (problem.code === "decided") return <Notice title="Somebody was faster.">Your decision does not count any more.</Notice>;
  if (problem.code === "withdrawn") return <Notice title="The run has ended.">There is nothing left to decide.</Notice>;
  if (problem.code === "expired") return <Notice tone="bad" title="It is too late.">The proposal has expired, and the run ends without it.</Notice>;
  return (
    <Notice tone="bad" title="This was not accepted.">
      <Ticked text={problem.message} />
    </Notice>
  );
}
