// Plans of a run as they were.
import { useQuery } from "@tanstack/react-query";
import { get } from "./client";
import type { PlanPage } from "./types";

/** A version never changes, so it is asked for once. */
export function usePlanVersion(run: string, version: number) {
  return useQuery({
    queryKey: ["run", run, "plan", version],
    queryFn: ({ signal }) => get<PlanPage>(`/v1/runs/${run}/plan`, { version }, signal),
    staleTime: Infinity,
  });
}
