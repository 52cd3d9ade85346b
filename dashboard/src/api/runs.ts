// Runs: asking for them, listing them, and what can be done to one.
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { PlanDiff } from "../ledger/plan";
import { get, post, Problem, type Query } from "./client";
import type { DiffPage, NewRun, Rated, Replayed, Run, RunPage, Runs } from "./types";

export type RunFilter = {
  status?: string;
  strategy?: string;
  role?: string;
  session?: string;
  parent?: string;
  since?: string;
  until?: string;
  text?: string;
  in_doubt?: boolean;
  replanned?: boolean;
};

/** Pages of runs, newest first, for a list that grows as it is scrolled. */
export function useRunPages(filter: RunFilter, live = true) {
  return useInfiniteQuery({
    queryKey: ["runs", "pages", filter],
    queryFn: ({ pageParam, signal }) => get<Runs>("/v1/runs", { ...filter, limit: 100, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (live && (query.state.data?.pages.length ?? 0) <= 2 ? 5_000 : false),
  });
}

export function useRuns(filter: RunFilter & { limit?: number }, every: number | false = 5_000, enabled = true) {
  return useQuery({
    queryKey: ["runs", "some", filter],
    queryFn: ({ signal }) => get<Runs>("/v1/runs", filter as Query, signal),
    refetchInterval: every,
    enabled,
  });
}

export type HistogramBar = { since: string; until: string; runs: number; failed: number; cost: number };
export type Histogram = { since: string; until: string; bars: HistogramBar[] };

export function useHistogram(filter: RunFilter) {
  return useQuery({
    queryKey: ["runs", "histogram", filter],
    queryFn: ({ signal }) => get<Histogram>("/v1/runs/histogram", filter as Query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}

export function useRun(run: string | undefined) {
  return useQuery({
    queryKey: ["run", run],
    queryFn: ({ signal }) => get<RunPage>(`/v1/runs/${run}`, {}, signal),
    enabled: run !== undefined,
  });
}

export function usePlanDiff(run: string, from: number, to: number) {
  return useQuery({
    queryKey: ["run", run, "diff", from, to],
    queryFn: async ({ signal }) => {
      const page = await get<DiffPage>(`/v1/runs/${run}/plan/diff`, { from, to }, signal);
      return { ...page, diff: page.diff as unknown as PlanDiff };
    },
    enabled: from > 0 && from < to,
    staleTime: Infinity,
  });
}

/** What was said about a run, or nothing. */
export function useRating(run: string, enabled = true) {
  return useQuery({
    queryKey: ["run", run, "rating"],
    queryFn: async ({ signal }) => {
      try {
        return await get<Rated>(`/v1/runs/${run}/rate`, {}, signal);
      } catch (problem) {
        if (problem instanceof Problem && problem.status === 404) return null;
        throw problem;
      }
    },
    enabled,
  });
}

export function useAsk() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: NewRun) => post<Run>("/v1/runs", request, { "Idempotency-Key": crypto.randomUUID() }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["runs"] });
      void client.invalidateQueries({ queryKey: ["overview"] });
    },
  });
}

/** Something done to a run, after which everything about it is looked at again. */
function useOnRun<Body, Answer>(run: string, action: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => post<Answer>(`/v1/runs/${run}/${action}`, body),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["run", run] });
      void client.invalidateQueries({ queryKey: ["runs"] });
      void client.invalidateQueries({ queryKey: ["overview"] });
    },
  });
}

export const useAnswer = (run: string) => useOnRun<{ name: string; answer: string }, Run>(run, "answer");
export const useCancel = (run: string) => useOnRun<{ reason?: string }, Run>(run, "cancel");
export const useResume = (run: string) => useOnRun<void, Run>(run, "resume");
export const useFork = (run: string) => useOnRun<{ at: number }, Run>(run, "fork");
export const useReplay = (run: string) => useOnRun<void, Replayed>(run, "replay");
export const useRate = (run: string) => useOnRun<{ good: boolean; words?: string }, Rated>(run, "rate");

/** Where a browser downloads the whole run. */
export const exportOf = (run: string) => `/v1/runs/${run}/export`;
