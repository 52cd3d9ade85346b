// What is kept because it worked: agents, cohorts and skills are asked for in the same way.
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "./client";
import type { Schema } from "./types";

export type Shelf = "agents" | "cohorts" | "skills";
export type Lineage = { run?: string; from?: [string, string]; by?: string };
export type ItemVersion = {
  name: string;
  version: number;
  hash: string;
  current: boolean;
  description: string;
  keywords: string[];
  body?: Record<string, unknown>;
  lineage: Lineage;
  offered_from?: string;
  created_at: string;
};
export type Item = ItemVersion & { active: boolean; versions: number; record: Schema<"ItemRecord"> };
export type Use = Schema<"UseOfItem">;
export type Found = Schema<"Found">;

export function useItems(shelf: Shelf, filter: { q?: string; active?: boolean }) {
  return useInfiniteQuery({
    queryKey: ["library", shelf, "list", filter],
    queryFn: ({ pageParam, signal }) =>
      get<{ items: Item[]; next?: string | null }>(`/v1/${shelf}`, { ...filter, limit: 100, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function useFound(shelf: Shelf, q: string) {
  return useQuery({
    queryKey: ["library", shelf, "search", q],
    queryFn: ({ signal }) => get<{ found: Found[] }>(`/v1/${shelf}/search`, { q, limit: 50 }, signal),
    enabled: q.trim() !== "",
    placeholderData: keepPreviousData,
  });
}

export function useItem(shelf: Shelf, name: string, version?: number) {
  return useQuery({
    queryKey: ["library", shelf, "item", name, version],
    queryFn: ({ signal }) => get<Item>(`/v1/${shelf}/${name}`, { version }, signal),
  });
}

export function useItemVersions(shelf: Shelf, name: string) {
  return useQuery({
    queryKey: ["library", shelf, "versions", name],
    queryFn: ({ signal }) => get<{ versions: ItemVersion[] }>(`/v1/${shelf}/${name}/versions`, {}, signal),
  });
}

export function useItemUses(shelf: Shelf, name: string) {
  return useQuery({
    queryKey: ["library", shelf, "uses", name],
    queryFn: ({ signal }) => get<{ uses: Use[] }>(`/v1/${shelf}/${name}/uses`, {}, signal),
  });
}

export function useSwitchItem(shelf: Shelf, name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (active: boolean) => post<Item>(`/v1/${shelf}/${name}/${active ? "activate" : "deactivate"}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["library", shelf] }),
  });
}

export function useRollbackItem(shelf: Shelf, name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => post<Item>(`/v1/${shelf}/${name}/rollback`, { version }),
    onSettled: () => client.invalidateQueries({ queryKey: ["library", shelf] }),
  });
}
