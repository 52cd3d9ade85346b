// The order in which intents need looking at.
import { INTENT_STATUSES, type Intent, type IntentStatus } from "../../api/intents";

/** Groups by status, what needs a person first, and leaves out empty ones. */
export function byDoubt(intents: Intent[]): [IntentStatus, Intent[]][] {
  return INTENT_STATUSES.map((status): [IntentStatus, Intent[]] => [status, intents.filter((one) => one.status === status)]).filter(
    ([, group]) => group.length > 0,
  );
}

/** What is known about how it ended, in a line. */
export function settledWords({ settlement }: Intent): string {
  if (!settlement) return "";
  if ("detail" in settlement) return settlement.detail;
  if (settlement.outcome === "failed") {
    const { error } = settlement;
    if (typeof error === "string") return error;
    const words = error && typeof error === "object" ? ((error as Record<string, unknown>).message ?? (error as Record<string, unknown>).detail) : undefined;
    return typeof words === "string" ? words : JSON.stringify(error);
  }
  const said = settlement.result && typeof settlement.result === "object" ? (settlement.result as Record<string, unknown>).said : undefined;
  return typeof said === "string" ? said : "";
}
