// What agents are told, in versions that can be gone back to.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "./client";

export type Point = { source: string; text: string; problem?: string; lesson?: string };
export type Author = { cycle: number } | { person: string | null } | { file: string };
export type Guideline = {
  agent: string;
  version: string;
  hash: string;
  points: Point[];
  parent?: string;
  because: string;
  by: Author;
  at: string;
};

export function useGuidelines() {
  return useQuery({
    queryKey: ["learning", "guidelines"],
    queryFn: ({ signal }) => get<{ guidelines: Guideline[] }>("/v1/guidelines", {}, signal),
  });
}

export function useGuidelineVersions(agent: string) {
  return useQuery({
    queryKey: ["learning", "guideline", agent],
    queryFn: ({ signal }) => get<{ versions: { told: boolean; version: Guideline }[] }>(`/v1/guidelines/${agent}/versions`, {}, signal),
  });
}

export function useRollbackGuideline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ agent, to }: { agent: string; to?: string }) => post<Guideline>(`/v1/guidelines/${agent}/rollback`, { to }),
    onSettled: () => client.invalidateQueries({ queryKey: ["learning"] }),
  });
}

export function authorWords(by: Author): string {
  if ("cycle" in by) return `cycle ${by.cycle}`;
  if ("person" in by) return by.person ?? "somebody";
  return by.file;
}
