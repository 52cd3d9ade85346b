// What is told to some and not to others, to see what it does.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "./client";

export type Effect = { estimate: number; low: number; high: number; runs: number };
export type Tally = { control: number; control_successes: number; candidate: number; candidate_successes: number };
export type Experiment = {
  id: string;
  agent: string;
  problem?: string;
  lesson: string;
  direction: "add" | "remove";
  share: number;
  alpha: number;
  minimum: number;
  status: "shadow" | "canary" | "promoted" | "rolled_back" | "stopped";
  because: string;
  tally: Tally;
  evidence_for: number;
  evidence_against: number;
  effect?: Effect;
  started_at: string;
  ended_at?: string;
};

export function useExperiments() {
  return useQuery({
    queryKey: ["learning", "experiments"],
    queryFn: ({ signal }) => get<{ experiments: Experiment[] }>("/v1/experiments", {}, signal),
  });
}

export function useStopExperiment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (experiment: string) => post<{ status: string }>(`/v1/experiments/${experiment}/stop`),
    onSettled: () => client.invalidateQueries({ queryKey: ["learning"] }),
  });
}
