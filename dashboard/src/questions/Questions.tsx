import type { RunState } from "../ledger/state";
import { AnswerForm } from "./AnswerForm";
import { ApprovalCard } from "./ApprovalCard";

/** Everything a run wants to know from somebody, where it can be said. */
export function Questions({ run, waits }: { run: string; waits: RunState["waits"] }) {
  return waits.map((wait) => {
    if (wait.need.need === "time") return null;
    return wait.approval ? (
      <ApprovalCard key={wait.name} id={wait.approval} />
    ) : (
      <AnswerForm key={wait.name} run={run} wait={wait} />
    );
  });
}
