// What agents did, ours and others'.
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "./client";
import type { Schema } from "./types";

export type TraceRow = Schema<"TraceRow">;
export type TraceStep = { kind: string; [other: string]: unknown };
export type Trace = Omit<Schema<"TracePage">, "steps" | "outcome" | "trials"> & {
  steps: TraceStep[];
  outcome?: { success?: boolean; score?: number; answer?: unknown } | null;
  trials: { experiment: string; arm: string }[];
};
export type TraceFilter = { agent?: string; problem?: string; source?: string; success?: string; ended?: string };

export function useTraces(filter: TraceFilter) {
  return useInfiniteQuery({
    queryKey: ["traces", filter],
    queryFn: ({ pageParam, signal }) =>
      get<{ traces: TraceRow[]; next?: string | null; total: number }>("/v1/traces", { ...filter, limit: 50, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function useTrace(trace: string) {
  return useQuery({ queryKey: ["trace", trace], queryFn: ({ signal }) => get<Trace>(`/v1/traces/${trace}`, {}, signal) });
}

export type Prediction = {
  chance: number;
  learnt_from: number;
  reasons: { words: string; weight: number }[];
  went_wrong?: { step: number; share: number }[];
};

export function usePrediction(trace: string) {
  return useQuery({
    queryKey: ["trace", trace, "prediction"],
    queryFn: ({ signal }) => get<Prediction>(`/v1/traces/${trace}/prediction`, {}, signal),
  });
}

export function useRevokeSource() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (source: string) => post<{ traces: number; lessons: string[] }>(`/v1/sources/${source}/revoke`),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["learning"] });
      void client.invalidateQueries({ queryKey: ["traces"] });
    },
  });
}
