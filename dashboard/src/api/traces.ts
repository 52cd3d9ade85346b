// What agents did, ours and others'.
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { get } from "./client";
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
