// Which way requests go, what is promised about that, and what people say about it.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, remove } from "./client";
import type { Schema } from "./types";

export type Certified = { threshold?: number; alpha: number; delta: number; samples: number; withdrawn?: boolean; why_not?: string };
export type Signal = { name: string; value: number; says?: string };
export type Act = { action: string; confidence: number; tool: string; arguments?: Record<string, unknown>; answer?: string };
export type Part = {
  text: string;
  role: string;
  confidence: number;
  act?: Act;
  missing?: { parameters: string[]; question: string };
  condition?: string;
  then?: boolean;
};
export type Explained = {
  decision: "fast" | "ask" | "compose" | "unsure" | "plan";
  role: string;
  confidence: number;
  parts: Part[];
  signals?: Signal[];
  certificate?: Certified;
  nearest: { text: string; role: string; likeness: number }[];
  labels: [string, number][];
};
export type Role = { name: string; when_to_use: string; examples: string[]; shipped: boolean; tools: string[]; certified?: Certified };
export type Quality = {
  examples: number;
  alpha: number;
  delta: number;
  reliability: { confidence: number; right: number; count: number }[];
  risk_coverage: { threshold: number; coverage: number; risk: number; bound: number }[];
};
export type Correction = { run: string; text: string; was?: string; role?: string; by?: string; at: string };
export type Pathway = Schema<"Pathway">;

/** Asks again whenever the words change; the same words are not asked twice. */
export function useExplained(text: string) {
  return useQuery({
    queryKey: ["routes", "explain", text],
    queryFn: () => post<Explained>("/v1/routes/explain", { text }),
    enabled: text.trim() !== "",
    placeholderData: (before) => before,
    staleTime: 30_000,
  });
}

export function useRoles() {
  return useQuery({ queryKey: ["routes", "roles"], queryFn: ({ signal }) => get<{ roles: Role[] }>("/v1/routes/roles", {}, signal) });
}

export function useQuality(role?: string) {
  return useQuery({
    queryKey: ["routes", "quality", role],
    queryFn: ({ signal }) => get<Quality>("/v1/routes/quality", { role }, signal),
    placeholderData: (before) => before,
  });
}

export function usePathways() {
  return useQuery({
    queryKey: ["routes", "pathways"],
    queryFn: ({ signal }) => get<{ worth: number; pathways: Pathway[] }>("/v1/routes/pathways", {}, signal),
  });
}

export function useCorrections() {
  return useQuery({
    queryKey: ["routes", "corrections"],
    queryFn: ({ signal }) => get<{ corrections: Correction[] }>("/v1/routes/corrections", {}, signal),
  });
}

export function useCorrect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (correction: { run: string; role: string }) => post<Correction>("/v1/routes/corrections", correction),
    onSuccess: () => client.invalidateQueries({ queryKey: ["routes"] }),
  });
}

export function useUncorrect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: string) => remove(`/v1/routes/corrections/${run}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ["routes"] }),
  });
}
