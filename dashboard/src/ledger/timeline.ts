// A ledger as rows of bars over time, with long waits folded so that the work stays visible.
import { words } from "../words/format";
import { stepOf, went, type Event } from "./events";

export type Bar = {
  kind: "step" | "model" | "tool" | "intent" | "wait" | "stage";
  from: number;
  to: number;
  label: string;
  status: "done" | "failed" | "running" | "waiting" | "skipped" | "in_doubt" | "unknown" | "withheld";
  seq: number;
  /** Not the first try. */
  again?: boolean;
  /** Which of the row's lanes it is in: what runs at the same time is in two. */
  lane: number;
};
export type Row = {
  id: string;
  label: string;
  step?: string;
  attempt?: number;
  again?: boolean;
  bars: Bar[];
  lanes: number;
};
export type Timeline = { rows: Row[]; from: number; to: number };

const STAGES: [RegExp, string, string][] = [
  [/^(routed|route|recalled|reuse|complexity)/, "route", "Route"],
  [/^think/, "think", "Think"],
  [/^(plan|verified|repair|revise)/, "plan", "Plan"],
  [/^(critique|score|assess|gate|forecast)/, "judge", "Judge"],
  [/^(staff|forge|brief)/, "staff", "Staff"],
  [/^(answer\b|finish|kept|reflect|distil)/, "answer", "Answer"],
  [/^intent/, "intents", "Writes at the end"],
];

export function timeline(events: Event[], now: number): Timeline {
  const rows = new Map<string, Row>();
  const first = events[0];
  const from = first ? Date.parse(first.at) : now;
  const over = events.at(-1)?.kind === "finished";
  let to = over ? Date.parse(events.at(-1)?.at ?? "") : Math.max(now, from);
  const open = new Map<string, Bar>();
  const sent = new Map<string, { at: number; tool: string; key: string; seq: number; attempts: number }>();

  const rowOf = (key: string): Row => {
    const at = stepOf(key);
    if (at)
      return row(
        rows,
        `step/${at.step}/${at.attempt}`,
        at.attempt > 1 ? `${at.step} · attempt ${at.attempt}` : at.step,
        at,
      );
    const agent = /^agent\/(\d+)/.exec(key);
    if (agent) return row(rows, agent[0], agent[1] === "1" ? "Agent" : `Agent, plan ${agent[1]}`);
    const [, id, label] = STAGES.find(([start]) => start.test(key)) ?? [
      "",
      key.split("/")[0] ?? key,
      words(key.split("/")[0] ?? key),
    ];
    return row(rows, id, label);
  };

  for (const event of events) {
    const at = Date.parse(event.at);
    to = Math.max(to, at);
    switch (event.kind) {
      case "step_started": {
        const { step, attempt } = event.data;
        const bar: Bar = {
          kind: "step",
          from: at,
          to,
          label: step,
          status: "running",
          seq: event.seq,
          again: attempt > 1,
          lane: 0,
        };
        open.set(`${step}/${attempt}`, bar);
        rowOf(`step/${step}/${attempt}`).bars.unshift(bar);
        break;
      }
      case "step_finished": {
        const { step, attempt, outcome } = event.data;
        const status = outcome.outcome === "failed" && outcome.in_doubt ? "in_doubt" : outcome.outcome;
        const bar = open.get(`${step}/${attempt}`);
        if (bar) Object.assign(bar, { to: at, status });
        else
          rowOf(`step/${step}/${attempt}`).bars.push({
            kind: "step",
            from: at,
            to: at,
            label: step,
            status,
            seq: event.seq,
            lane: 0,
          });
        open.delete(`${step}/${attempt}`);
        break;
      }
      case "model_called": {
        const { component, model, reply, millis } = event.data;
        rowOf(event.key).bars.push({
          kind: "model",
          from: at - millis,
          to: at,
          label: `${component}: ${model}`,
          status: went(reply) ? "done" : "failed",
          seq: event.seq,
          again: retried(event.key),
          lane: 0,
        });
        break;
      }
      case "tool_called": {
        const { tool, result, millis } = event.data;
        const status = went(result) ? "done" : result.err.error === "in_doubt" ? "in_doubt" : "failed";
        rowOf(event.key).bars.push({
          kind: "tool",
          from: at - millis,
          to: at,
          label: tool,
          status,
          seq: event.seq,
          again: retried(event.key),
          lane: 0,
        });
        break;
      }
      case "intent_declared":
        sent.set(event.data.intent.key, {
          at,
          tool: event.data.intent.tool,
          key: event.key,
          seq: event.seq,
          attempts: 0,
        });
        break;
      case "intent_sent": {
        const intent = sent.get(event.data.intent);
        if (intent) sent.set(event.data.intent, { ...intent, at, attempts: event.data.attempt });
        break;
      }
      case "intent_settled": {
        const intent = sent.get(event.data.intent);
        if (!intent) break;
        rowOf(intent.key).bars.push({
          kind: "intent",
          from: intent.at,
          to: at,
          label: intent.tool,
          status: event.data.settlement.outcome,
          seq: event.seq,
          again: intent.attempts > 1,
          lane: 0,
        });
        sent.delete(event.data.intent);
        break;
      }
      case "waiting": {
        const { wait } = event.data;
        const bar: Bar = {
          kind: "wait",
          from: at,
          to,
          label: "question" in wait.need ? wait.need.question : "a moment",
          status: "waiting",
          seq: event.seq,
          lane: 0,
        };
        open.set(`wait/${wait.name}`, bar);
        row(rows, "people", "Waiting for you").bars.push(bar);
        break;
      }
      case "answered": {
        const bar = open.get(`wait/${event.data.name}`);
        if (bar) Object.assign(bar, { to: at, status: "done" });
        open.delete(`wait/${event.data.name}`);
        break;
      }
      case "finished":
        for (const bar of open.values()) Object.assign(bar, { to: at });
        break;
    }
  }
  for (const bar of open.values()) if (!over) bar.to = to;
  const all = [...rows.values()].filter((one) => one.bars.length > 0);
  for (const one of all) one.lanes = inLanes(one.bars);
  const start = Math.min(from, ...all.flatMap((one) => one.bars.map((bar) => bar.from)));
  return { rows: all, from: start, to };
}

function row(rows: Map<string, Row>, id: string, label: string, at?: { step: string; attempt: number }): Row {
  let found = rows.get(id);
  if (!found) {
    found = {
      id,
      label,
      step: at?.step,
      attempt: at?.attempt,
      again: at !== undefined && at.attempt > 1,
      bars: [],
      lanes: 1,
    };
    rows.set(id, found);
  }
  return found;
}

/** Gives each bar the first lane that is free when it begins, and says how many there are. */
function inLanes(bars: Bar[]): number {
  const ends: number[] = [];
  for (const bar of bars.filter((one) => one.kind !== "step").sort((a, b) => a.from - b.from)) {
    const free = ends.findIndex((end) => end <= bar.from);
    bar.lane = free >= 0 ? free : ends.length;
    ends[bar.lane] = bar.to;
  }
  return Math.max(ends.length, 1);
}

function retried(key: string): boolean {
  return /\/(?:retry|again|try)\/[2-9]/.test(key) || /\/way\/(?:[2-9]|\d\d)/.test(key);
}
