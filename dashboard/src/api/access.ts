// Keys and people: who comes in, and what they may do.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, remove } from "./client";
import type { RoleName } from "./session";

export const AREAS = ["runs", "approvals", "stages", "tools", "routes", "library", "traces", "learning", "memories", "admin"] as const;
export type Key = {
  id: string;
  name?: string;
  role: RoleName;
  scopes?: string[];
  evidence: boolean;
  created_at: string;
  expires_at?: string;
  revoked_at?: string;
  last_used_at?: string;
};
export type NewKey = { name?: string; role: RoleName; scopes?: string[]; expires_in_days?: number; evidence?: boolean };
export type Member = { name: string; role: RoleName; created_at: string; has_password: boolean; last_seen_at?: string };

export function useKeyList() {
  return useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => get<{ keys: Key[] }>("/v1/keys", {}, signal) });
}

/** The secret is told once, in this answer. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: NewKey) => post<{ key: Key; secret: string }>("/v1/keys", key),
    onSuccess: () => client.invalidateQueries({ queryKey: ["keys"] }),
  });
}

export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => remove<Key>(`/v1/keys/${id}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["keys"] }),
  });
}

export function usePeople() {
  return useQuery({ queryKey: ["people"], queryFn: ({ signal }) => get<{ people: Member[] }>("/v1/people", {}, signal) });
}

/** The token is for the link that is told once: `/welcome#token`. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (person: { name: string; role: RoleName }) => post<{ person: Member; token: string }>("/v1/people", person),
    onSuccess: () => client.invalidateQueries({ queryKey: ["people"] }),
  });
}

export function useRemovePerson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => remove(`/v1/people/${encodeURIComponent(name)}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["people"] }),
  });
}
