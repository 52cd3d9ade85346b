// How far a run is, as a few stages that light up one after another.
import { went, type Event } from "./events";

export type Stage = { id: string; label: string; status: "done" | "running" | "waiting" | "failed" };

const STAGE: Partial<Record<Event["kind"], [string, string]>> = {
  routed: ["route", "Route"],
  thought: ["think", "Think"],
  planned: ["plan", "Plan"],
  plan_refused: ["plan", "Plan"],
  critiqued: ["judge", "Judge"],
  assessed: ["judge", "Judge"],
  waiting: ["ask", "Ask you"],
  step_started: ["work", "Work"],
  finished: ["answer", "Answer"],
};

export function stages(events: Event[]): Stage[] {
  const found: Stage[] = [];
  for (const event of events) {
    const [id, label] = STAGE[event.kind] ?? [];
    if (!id || !label) continue;
    const status =
      event.kind === "waiting"
        ? "waiting"
        : event.kind === "finished" && event.data.ending.status !== "completed"
          ? "failed"
          : "done";
    const known = found.find((stage) => stage.id === id);
    if (known) known.status = status;
    else found.push({ id, label, status });
  }
  const ended = events.at(-1)?.kind === "finished";
  for (const stage of found) if (stage.status === "waiting" && events.at(-1)?.kind !== "waiting") stage.status = "done";
  const last = found.at(-1);
  if (!ended && last && last.status === "done") last.status = "running";
  return found;
}

/** What is going on at this moment, in a few words. */
export function doing(events: Event[]): string | undefined {
  for (const event of events.toReversed()) {
    switch (event.kind) {
      case "finished":
        return undefined;
      case "tool_called":
        return `${event.data.tool} ${went(event.data.result) ? "answered" : "failed"}`;
      case "intent_sent":
        return "writing";
      case "model_called":
        return `${event.data.component} heard from ${event.data.model}`;
      case "step_started":
        return `working on ${event.data.step}`;
      case "waiting":
        return "waiting for you";
      case "planned":
        return `planned ${event.data.plan.steps.length} steps`;
      case "routed":
        return event.data.route === "plan" ? "planning" : "answering";
    }
  }
  return "beginning";
}
