// How things stand, in a few numbers.
import { useQuery } from "@tanstack/react-query";
import { get } from "./client";

export type Spell = { runs: number; failed: number; cost: number; input_tokens: number; output_tokens: number };
export type Overview = {
  running: number;
  waiting: number;
  in_doubt: number;
  approvals: number;
  today: Spell;
  month: Spell;
  examples: string[];
  models: boolean;
  learning: boolean;
};

export function useOverview() {
  return useQuery({
    queryKey: ["overview"],
    queryFn: ({ signal }) => get<Overview>("/v1/overview", {}, signal),
    refetchInterval: 10_000,
  });
}
