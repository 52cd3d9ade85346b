// What runs wanted to write, and what became of it.
import { useQuery } from "@tanstack/react-query";
import { get } from "./client";

export const INTENT_STATUSES = ["unknown", "sending", "declared", "failed", "withheld", "done"] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];
export type Settlement =
  | { outcome: "done"; result: unknown }
  | { outcome: "failed"; error: unknown }
  | { outcome: "unknown"; detail: string }
  | { outcome: "withheld"; detail: string };
export type Intent = {
  run: string;
  key: string;
  step?: string;
  tool: string;
  arguments: unknown;
  priority?: string;
  status: IntentStatus;
  attempts: number;
  settlement?: Settlement;
  updated_at: string;
};

export function useIntents(status?: IntentStatus) {
  return useQuery({
    queryKey: ["intents", status],
    queryFn: ({ signal }) => get<{ intents: Intent[] }>("/v1/intents", { status, limit: 100 }, signal),
    refetchInterval: 10_000,
  });
}
