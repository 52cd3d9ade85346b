// Who is signed in.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, put, remove, setCsrf } from "./client";

export const ROLES = ["viewer", "runner", "approver", "editor", "admin"] as const;
export type RoleName = (typeof ROLES)[number];
export type Person = { name: string; role: RoleName };
export type Session =
  | { signed_in: true; person: Person; csrf: string; has_password: boolean; version: string }
  | { signed_in: false; version: string };
export type Credentials = { token: string } | { name: string; password: string };

export function useSession() {
  return useQuery({
    queryKey: ["session"],
    queryFn: async ({ signal }) => noted(await get<Session>("/v1/session", {}, signal)),
    staleTime: 60_000,
  });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Credentials) => noted(await post<Session>("/v1/session", credentials)),
    onSuccess: async (session) => {
      // An answer from before, still under way, would say that nobody is signed in.
      await client.cancelQueries({ queryKey: ["session"] });
      client.setQueryData(["session"], session);
    },
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => remove("/v1/session"),
    onSuccess: () => {
      setCsrf(undefined);
      client.setQueryData<Session>(["session"], (was) => ({ signed_in: false, version: was?.version ?? "" }));
      // What one person saw is not the next one's to see.
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== "session" });
    },
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (words: { password: string; old?: string }) => put<void>("/v1/session/password", words),
    onSuccess: () => client.invalidateQueries({ queryKey: ["session"] }),
  });
}

/** Whether who is signed in may do what a role may; nothing before that is known. */
export function useMay(role: RoleName): boolean {
  const session = useSession().data;
  return session?.signed_in === true && ROLES.indexOf(session.person.role) >= ROLES.indexOf(role);
}

function noted(session: Session): Session {
  setCsrf(session.signed_in ? session.csrf : undefined);
  return session;
}
