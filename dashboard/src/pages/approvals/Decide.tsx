import { useState } from "react";
import { useDecide } from "../../api/approvals";
import { Problem } from "../../api/client";
import { useOnly } from "../../api/may";
import type { Proposal } from "../../api/proposal";
import { useKeys } from "../../keys/keys";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { SafeText } from "../../parts/SafeText";
import { toast, toastProblem } from "../../parts/Toast";
import { sentence } from "../../words/sentence";
import styles from "./Approvals.module.css";
import { Say } from "./Say";

type Props = {
  proposal: Proposal;
  mode: string | undefined;
  setMode: (mode: string | undefined) => void;
  onDone: () => void;
  onRefused: (problem: Problem) => void;
};

const SAID = { approve: "Approved.", reject: "Rejected.", respond: "Said. It will be proposed again." };

/** The four verbs, at the foot of the proposal. What cannot be taken back is asked about once more. */
export function Decide({ proposal, mode, setMode, onDone, onRefused }: Props) {
  const decide = useDecide();
  const only = useOnly("approver");
  const [sure, setSure] = useState(false);
  const send = (decision: keyof typeof SAID, words: { reason?: string; message?: string } = {}) =>
    decide.mutate(
      { approval: proposal.id, decision, hash: proposal.hash, ...words },
      {
        onSuccess: () => {
          toast(SAID[decision]);
          onDone();
        },
        onError: (error) => {
          setMode(undefined);
          setSure(false);
          if (error instanceof Problem) onRefused(error);
          else toastProblem(error);
        },
      },
    );
  const approve = () => (proposal.risk === "high" ? setSure(true) : send("approve"));
  const may = !only.disabled && !decide.isPending;
  useKeys("This approval", [
    { keys: "a", does: "approve", run: () => may && approve() },
    { keys: "e", does: "edit, then approve", run: () => may && setMode("edit") },
    { keys: "r", does: "reject", run: () => may && setMode("reject") },
    { keys: "Escape", does: "leave it as it is", run: () => setMode(undefined) },
  ]);
  if (mode === "reject" || mode === "respond") {
    return (
      <Say
        verb={mode}
        busy={decide.isPending}
        onClose={() => setMode(undefined)}
        onSay={(words) => send(mode, mode === "respond" ? { message: words } : { reason: words || undefined })}
      />
    );
  }
  return (
    <footer className={styles.foot}>
      <Button look="primary" icon="approvals" hint="a" busy={decide.isPending} onClick={approve} {...only}>
        Approve
      </Button>
      <Button hint="e" onClick={() => setMode("edit")} {...only}>
        Edit
      </Button>
      <Button look="danger" hint="r" onClick={() => setMode("reject")} {...only}>
        Reject
      </Button>
      <Button look="quiet" onClick={() => setMode("respond")} {...only}>
        Respond
      </Button>
      {sure && (
        <Confirm title="Approve what cannot be taken back?" yes="Approve" busy={decide.isPending} onYes={() => send("approve")} onClose={() => setSure(false)}>
          <ul className={styles.effects}>
            {proposal.effects.map((effect, at) => (
              <li key={at}>
                <SafeText text={sentence(effect.words)} />
              </li>
            ))}
          </ul>
        </Confirm>
      )}
    </footer>
  );
}
