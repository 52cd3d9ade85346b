// The last requests, to choose one from.
import { useQuery } from "@tanstack/react-query";
import { get } from "./client";
import type { Runs } from "./types";

export function useRecentRuns(limit = 30) {
  return useQuery({ queryKey: ["runs", "recent", limit], queryFn: ({ signal }) => get<Runs>("/v1/runs", { limit }, signal) });
}
