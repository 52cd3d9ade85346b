// What is remembered, and how it is forgotten.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, remove } from "./client";

export type Memory = { id: string; text: string; importance: number; run?: string; at: string };

export function useMemories(text: string) {
  return useQuery({
    queryKey: ["memories", text],
    queryFn: ({ signal }) => get<{ memories: Memory[] }>("/v1/memories", { text, limit: 100 }, signal),
    placeholderData: keepPreviousData,
  });
}

export function useForget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (memory: string) => remove(`/v1/memories/${encodeURIComponent(memory)}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["memories"] }),
  });
}
