// Follows a run: what happened so far, then what happens, and again from where it was cut off.
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Event } from "../ledger/events";
import { Problem, send } from "./client";
import { reader } from "./sse";

export type Followed = {
  events: Event[];
  /** `cut`: the server is away and is tried again. */ state: "opening" | "live" | "cut" | "ended";
  problem?: unknown;
};

const NOTHING: Followed = { events: [], state: "opening" };
const followers = new Map<string, { watching: number; stop: AbortController }>();

const keyOf = (run: string) => ["events", run];

/** The events of a run, live for as long as somebody looks. However many look, one stream is open. */
export function useEvents(run: string | undefined): Followed {
  const client = useQueryClient();
  const { data } = useQuery<Followed>({
    queryKey: keyOf(run ?? ""),
    queryFn: () => NOTHING,
    enabled: false,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  useEffect(() => {
    if (!run) return;
    const known = followers.get(run);
    if (known) known.watching += 1;
    else if (client.getQueryData<Followed>(keyOf(run))?.state !== "ended") {
      const stop = new AbortController();
      followers.set(run, { watching: 1, stop });
      void follow(client, run, stop.signal).finally(() => followers.get(run)?.stop === stop && followers.delete(run));
    }
    return () => {
      const follower = followers.get(run);
      if (!follower || --follower.watching > 0) return;
      follower.stop.abort();
      followers.delete(run);
    };
  }, [client, run]);
  return data ?? NOTHING;
}

async function follow(client: QueryClient, run: string, signal: AbortSignal) {
  let failures = 0;
  const change = (to: (was: Followed) => Followed) =>
    client.setQueryData<Followed>(keyOf(run), (was) => to(was ?? NOTHING));
  while (!signal.aborted) {
    await inSight(signal);
    const until = new AbortController();
    const stop = () => (signal.aborted || document.hidden) && until.abort();
    document.addEventListener("visibilitychange", stop);
    signal.addEventListener("abort", stop);
    try {
      const ended = await listen(run, lastSeq(client, run), until.signal, (fresh) => {
        failures = 0;
        change((was) => ({ events: [...was.events, ...fresh], state: "live" }));
      });
      if (ended) {
        change((was) => ({ ...was, state: "ended" }));
        void client.invalidateQueries({ queryKey: ["run", run] });
        return;
      }
    } catch (problem) {
      if (signal.aborted) return;
      if (until.signal.aborted) continue;
      const lasting =
        problem instanceof Problem && problem.status >= 400 && problem.status < 500 && problem.status !== 429;
      change((was) => ({ ...was, state: lasting ? "ended" : "cut", problem }));
      if (lasting) return;
    } finally {
      document.removeEventListener("visibilitychange", stop);
      signal.removeEventListener("abort", stop);
    }
    await rest(Math.min(500 * 2 ** failures++, 8_000), signal);
  }
}

/** Whether the run has ended. */
async function listen(
  run: string,
  after: number,
  signal: AbortSignal,
  take: (fresh: Event[]) => void,
): Promise<boolean> {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (after > 0) headers["Last-Event-ID"] = String(after);
  const response = await send("GET", `/v1/runs/${run}/events`, { headers, signal });
  if (response.status === 204 || !response.body) return true;
  const read = reader();
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting: Event[] = [];
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hand = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0 && !signal.aborted) take(waiting);
    waiting = [];
  };
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) break;
      for (const message of read(value)) {
        const event = JSON.parse(message.data) as Event;
        waiting.push(event);
        ended ||= event.kind === "finished";
      }
      // Thousands of events arrive at once; drawing after each of them would take longer than all of them.
      timer ??= setTimeout(hand, 40);
    }
  } finally {
    hand();
  }
  return ended;
}

/** Browsers open few connections to one server: a tab that nobody sees leaves its own to the others. */
function inSight(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}

function lastSeq(client: QueryClient, run: string): number {
  return client.getQueryData<Followed>(keyOf(run))?.events.at(-1)?.seq ?? 0;
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
