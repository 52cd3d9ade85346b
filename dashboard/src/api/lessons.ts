// Points that were learnt, and what people say about them.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "./client";
import type { Effect } from "./experiments";
import type { Pattern } from "./learning";

export type LessonStatus = "proposed" | "shadow" | "canary" | "active" | "retired";
export type Lesson = {
  id: string;
  agent: string;
  problem?: string;
  text: string;
  pattern: Pattern;
  status: LessonStatus;
  because: string;
  made_at: string;
  changed_at: string;
  effect?: Effect;
};
export type OnRecord = {
  elsewhere: number;
  alike: number;
  reached: number;
  effect?: Effect | null;
  overall?: number | null;
  overlap: number;
  effective: number;
  promise: "worth" | "not" | "unclear";
  words: string;
};

export function useLessons() {
  return useQuery({
    queryKey: ["learning", "lessons"],
    queryFn: ({ signal }) => get<{ lessons: Lesson[] }>("/v1/lessons", {}, signal),
  });
}

export function useLesson(lesson: string) {
  return useQuery({
    queryKey: ["learning", "lesson", lesson],
    queryFn: ({ signal }) => get<{ lesson: Lesson; on_record: OnRecord }>(`/v1/lessons/${lesson}`, {}, signal),
  });
}

export function useAcceptLesson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ lesson, now }: { lesson: string; now: boolean }) => post<Lesson>(`/v1/lessons/${lesson}/accept`, { now }),
    onSettled: () => client.invalidateQueries({ queryKey: ["learning"] }),
  });
}

export function useDismissLesson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (lesson: string) => post<Lesson>(`/v1/lessons/${lesson}/dismiss`),
    onSettled: () => client.invalidateQueries({ queryKey: ["learning"] }),
  });
}
