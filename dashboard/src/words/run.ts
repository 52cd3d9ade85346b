// How a run stands, in the words of the dashboard.
import type { Run } from "../api/types";

/** A run that is only due later is not held up by anything. */
export function standing(run: Pick<Run, "status" | "created_at">, now = Date.now()): string {
  return run.status === "pending" && Date.parse(run.created_at) > now + 1000 ? "later" : run.status;
}

export function isOver(status: string): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
