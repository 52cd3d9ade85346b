// What is configured, and what was done by whom.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { get } from "./client";

export type Setting = { key: string; value: unknown; origin: string };
export type Settings = { settings: Setting[]; version: string; database: string; since: string };
export type AuditEntry = { seq: number; at: string; who: string; via?: string; what: string; on?: unknown; outcome: string; hash: string };
export type AuditPage = { entries: AuditEntry[]; next?: string | null; chain: { holds: boolean; entries: number } };

export function useSettings() {
  return useQuery({ queryKey: ["settings"], queryFn: ({ signal }) => get<Settings>("/v1/settings", {}, signal) });
}

export function useAudit() {
  return useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam, signal }) => get<AuditPage>("/v1/audit", { limit: 100, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}
