// How far learning has come, and what separates success from failure.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "./client";
import type { Experiment } from "./experiments";

export type Alert = { agent: string; problem?: string; before: number; now: number; evidence: number; since?: string; words: string };
export type Cycle = {
  cycle: number;
  started_at: string;
  ended_at: string;
  seen: Record<string, number>;
  traces: number;
  successes: number;
  found: Record<string, number>;
  changed: string[];
  not_changed: string[];
  alerts?: Alert[];
};
export type Told = { agent: string; version: string; hash: string; points: number; learnt: number };
export type LearningStatus = {
  cycles: number;
  last?: Cycle;
  learner?: [string, string];
  traces: number;
  successes: number;
  lessons: Record<string, number>;
  experiments: Experiment[];
  guidelines: Told[];
  auto_update: boolean;
};
export type Evidence = {
  with_success: number;
  with_failure: number;
  without_success: number;
  without_failure: number;
  effect: number;
  interval: [number, number];
  confidence: number;
  p: number;
  q: number;
  users: number;
  sources: Record<string, number>;
  examples: [string[], string[]];
};
export type Mark = { mark: string; [other: string]: unknown };
export type Pattern = { id: string; mark: Mark; agent?: string; problem?: string; evidence: Evidence; words: string; advice: string };

export function useLearning() {
  return useQuery({
    queryKey: ["learning", "status"],
    queryFn: ({ signal }) => get<LearningStatus>("/v1/learning", {}, signal),
    refetchInterval: 15_000,
  });
}

export function useCycles(limit = 50) {
  return useQuery({
    queryKey: ["learning", "cycles", limit],
    queryFn: ({ signal }) => get<{ cycles: Cycle[] }>("/v1/learning/cycles", { limit }, signal),
  });
}

export function usePatterns(limit = 200) {
  return useQuery({
    queryKey: ["learning", "patterns", limit],
    queryFn: ({ signal }) => get<{ patterns: Pattern[]; found: number }>("/v1/patterns", { limit }, signal),
  });
}

export function useLearn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => post<Cycle>("/v1/learning/run"),
    onSettled: () => client.invalidateQueries({ queryKey: ["learning"] }),
  });
}
