import { useState } from "react";
import { useDecide } from "../../api/approvals";
import { Problem } from "../../api/client";
import type { Finding, PlanDraft, Proposal } from "../../api/proposal";
import { useTools } from "../../api/tools";
import { useKeys } from "../../keys/keys";
import { Button } from "../../parts/Button";
import { Diff } from "../../parts/Diff";
import { Area, Input } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { Section } from "../../parts/Section";
import { Tabs } from "../../parts/Tabs";
import { toast, toastProblem } from "../../parts/Toast";
import styles from "./Approvals.module.css";
import { Findings } from "./Findings";
import { ofStep, readObject, withStep } from "./inbox";
import { StepEditor } from "./StepEditor";

type Props = { proposal: Proposal; onDone: () => void; onRefused: (problem: Problem) => void; onClose: () => void };
type View = "form" | "json" | "changes";

/** Changes a plan or the arguments of a call, as a form or as JSON, and approves what comes out. */
export function Editor({ proposal, onDone, onRefused, onClose }: Props) {
  const original = proposal.plan ?? (proposal.arguments as object);
  const [text, setText] = useState(() => JSON.stringify(original, null, 2));
  const [view, setView] = useState<View>(proposal.plan ? "form" : "json");
  const [reason, setReason] = useState("");
  const decide = useDecide();
  const tools = useTools().data?.tools.map((tool) => tool.name) ?? [];
  const read = readObject(text);
  const problem = "problem" in read ? read.problem : undefined;
  const findings = findingsOf(decide.error);
  useKeys("Editing", [{ keys: "Escape", does: "leave it as it is", run: onClose }]);
  const send = () => {
    if (!("value" in read)) return;
    const what = proposal.plan ? { plan: read.value } : { arguments: read.value };
    decide.mutate(
      { approval: proposal.id, decision: "edit", hash: proposal.hash, reason: reason.trim() || undefined, ...(what as object) },
      {
        onSuccess: () => {
          toast("Approved with your changes.");
          onDone();
        },
        onError: (error) => {
          if (!(error instanceof Problem)) return toastProblem(error);
          if (error.status === 409 || error.status === 410) onRefused(error);
        },
      },
    );
  };
  const plan = "value" in read ? (read.value as PlanDraft) : undefined;
  return (
    <Section title={proposal.plan ? "Change the plan" : "Change the arguments"}>
      <Tabs<View>
        label="How to edit"
        value={view}
        onChange={setView}
        tabs={[...(proposal.plan ? [{ id: "form" as const, label: "Form" }] : []), { id: "json", label: "JSON" }, { id: "changes", label: "What you changed" }]}
      />
      <div className={styles.editor} role="tabpanel" aria-labelledby={`tab-${view}`}>
        {findings.length > 0 && (
          <Notice tone="bad" title="This cannot be carried out.">
            <Findings findings={findings} />
          </Notice>
        )}
        {decide.error && findings.length === 0 && <Notice tone="bad" title="This was not accepted.">{decide.error.message}</Notice>}
        {view === "form" && plan && Array.isArray(plan.steps)
          ? plan.steps.map((step, at) => (
              <StepEditor
                key={at}
                step={step}
                tools={tools}
                findings={ofStep(findings, step.id)}
                onChange={(changed) => setText(JSON.stringify(withStep(plan, at, changed), null, 2))}
              />
            ))
          : view === "form" && <Notice title="The form cannot show this.">Set it right as JSON.</Notice>}
        {view === "json" && (
          <Area label={proposal.plan ? "The plan" : "The arguments"} mono rows={Math.min(Math.max(text.split("\n").length + 1, 6), 28)} spellCheck={false} value={text} problem={problem} onChange={(event) => setText(event.target.value)} />
        )}
        {view === "changes" && <Diff before={original} after={plan ?? text} />}
        <Input label="Why" hint="It stands in the ledger." value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
      <footer className={styles.foot}>
        <Button look="primary" busy={decide.isPending} disabled={problem !== undefined} onClick={send}>
          Approve with changes
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </footer>
    </Section>
  );
}

function findingsOf(error: unknown): Finding[] {
  return error instanceof Problem && Array.isArray(error.more.findings) ? (error.more.findings as Finding[]) : [];
}
