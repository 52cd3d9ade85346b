// What can be called, and how calls went.
import { useQuery } from "@tanstack/react-query";
import { get } from "./client";
import type { Schema } from "./types";

export type Tool = Schema<"ToolRow">;
export type ToolPage = Omit<Schema<"ToolPage">, "parameters" | "returns"> & { parameters: JsonSchema; returns?: JsonSchema | null };
export type JsonSchema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  default?: unknown;
  [other: string]: unknown;
};

export function useTools() {
  return useQuery({ queryKey: ["tools"], queryFn: ({ signal }) => get<{ tools: Tool[] }>("/v1/tools", {}, signal) });
}

export function useTool(name: string) {
  return useQuery({ queryKey: ["tool", name], queryFn: ({ signal }) => get<ToolPage>(`/v1/tools/${name}`, {}, signal) });
}
