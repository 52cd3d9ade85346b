// What a run is, going by its events so far.
import {
  stepOf,
  went,
  type Ending,
  type EventOf,
  type Event,
  type Guideline,
  type Intent,
  type Spent,
  type StepOutcome,
  type Wait,
} from "./events";
import type { Plan, Step } from "./plan";

export type Attempt = { attempt: number; from?: string; to?: string; outcome?: StepOutcome; seq: number };
export type StepState = {
  id: string;
  status: "pending" | "running" | "waiting" | "done" | "failed" | "skipped" | "in_doubt";
  attempts: Attempt[];
  modelCalls: number;
  toolCalls: number;
  cost: number;
  /** What was called, or is being thought about, most recently. */
  latest?: string;
};
export type IntentState = Intent & { status: string; attempts: number; detail?: unknown; seq: number };
export type RunState = {
  status: string;
  received?: EventOf<"received">;
  routed?: EventOf<"routed">;
  plans: EventOf<"planned">[];
  steps: Map<string, StepState>;
  intents: Map<string, IntentState>;
  waits: (Wait & { approval?: string; seq: number })[];
  guidelines: Guideline[];
  forged: EventOf<"forged">[];
  /** One agent has the whole plan: nobody records where in it that agent is. */
  leftToAgent: boolean;
  ending?: Ending;
  spent: Spent;
  last?: Event;
};

export function emptyState(): RunState {
  return {
    status: "pending",
    plans: [],
    steps: new Map(),
    intents: new Map(),
    waits: [],
    guidelines: [],
    forged: [],
    leftToAgent: false,
    spent: { input_tokens: 0, output_tokens: 0, cost: 0, model_calls: 0, tool_calls: 0 },
  };
}

export function fold(events: Event[]): RunState {
  const state = emptyState();
  const answered = new Set<string>();
  for (const event of events) {
    state.last = event;
    spend(state, event);
    switch (event.kind) {
      case "received":
        state.received = event;
        break;
      case "resumed":
        state.status = "running";
        break;
      case "routed":
        state.routed = event;
        state.status = "running";
        break;
      case "recalled":
        state.guidelines = event.data.guidelines ?? [];
        break;
      case "planned":
        state.plans.push(event);
        break;
      case "staffed":
        state.plans = staffed(state.plans, event);
        break;
      case "forged":
        state.forged.push(event);
        state.leftToAgent ||=
          event.data.step === undefined && event.data.offered === undefined && event.key.startsWith("agent/");
        break;
      case "step_started":
        begin(state, event);
        break;
      case "step_finished":
        end(state, event);
        break;
      case "intent_declared":
        state.intents.set(event.data.intent.key, {
          ...event.data.intent,
          status: "declared",
          attempts: 0,
          seq: event.seq,
        });
        break;
      case "intent_sent":
        change(state.intents, event.data.intent, { status: "sending", attempts: event.data.attempt });
        break;
      case "intent_settled": {
        const { outcome, ...detail } = event.data.settlement;
        change(state.intents, event.data.intent, { status: outcome, detail });
        break;
      }
      case "waiting":
        state.status = "waiting";
        if (!answered.has(event.data.wait.name)) {
          state.waits.push({ ...event.data.wait, approval: event.approval, seq: event.seq });
          const at = stepOf(event.data.wait.name);
          if (at) step(state, at.step).status = "waiting";
        }
        break;
      case "answered": {
        answered.add(event.data.name);
        state.waits = state.waits.filter((wait) => wait.name !== event.data.name);
        if (state.waits.length === 0 && state.status === "waiting") state.status = "running";
        const at = stepOf(event.data.name);
        if (at && step(state, at.step).status === "waiting") step(state, at.step).status = "running";
        break;
      }
      case "finished":
        state.status = event.data.ending.status;
        state.ending = event.data.ending;
        state.waits = [];
        break;
    }
  }
  return state;
}

/** The newest plan. */
export function planOf(state: RunState): Plan | undefined {
  return state.plans.at(-1)?.data.plan;
}

export function stepIn(state: RunState, id: string): Step | undefined {
  return state.plans
    .toReversed()
    .flatMap((planned) => planned.data.plan.steps)
    .find((one) => one.id === id);
}

/** The agent on whose behalf something was done. */
export function agentOf(state: RunState, event: Event): EventOf<"forged"> | undefined {
  return state.forged.findLast((forged) => event.key.startsWith(`${forged.key.replace(/\/forged$/, "")}/`));
}

function step(state: RunState, id: string): StepState {
  let found = state.steps.get(id);
  if (!found) {
    found = { id, status: "pending", attempts: [], modelCalls: 0, toolCalls: 0, cost: 0 };
    state.steps.set(id, found);
  }
  return found;
}

function begin(state: RunState, { data, at, seq }: EventOf<"step_started">) {
  const begun = step(state, data.step);
  begun.status = "running";
  begun.attempts.push({ attempt: data.attempt, from: at, seq });
}

function end(state: RunState, { data, at, seq }: EventOf<"step_finished">) {
  const ended = step(state, data.step);
  const attempt = ended.attempts.findLast((one) => one.attempt === data.attempt);
  if (attempt) Object.assign(attempt, { to: at, outcome: data.outcome });
  else ended.attempts.push({ attempt: data.attempt, to: at, outcome: data.outcome, seq });
  ended.status = data.outcome.outcome === "failed" && data.outcome.in_doubt ? "in_doubt" : data.outcome.outcome;
}

function spend(state: RunState, event: Event) {
  const at = stepOf(event.key);
  if (event.kind === "model_called") {
    const usage = went(event.data.reply) ? event.data.reply.ok.usage : undefined;
    state.spent.model_calls += 1;
    state.spent.input_tokens += usage?.input_tokens ?? 0;
    state.spent.output_tokens += usage?.output_tokens ?? 0;
    state.spent.cost += usage?.cost ?? 0;
    if (at) {
      const one = step(state, at.step);
      one.modelCalls += 1;
      one.cost += usage?.cost ?? 0;
      one.latest = event.data.model;
    }
  } else if (event.kind === "tool_called" || (event.kind === "intent_sent" && event.data.attempt === 1)) {
    state.spent.tool_calls += 1;
    if (at) {
      const one = step(state, at.step);
      one.toolCalls += 1;
      one.latest = event.kind === "tool_called" ? event.data.tool : state.intents.get(event.data.intent)?.tool;
    }
  }
}

/** The newest plan with the agents that were found or made for its steps. */
function staffed(plans: EventOf<"planned">[], { data }: EventOf<"staffed">): EventOf<"planned">[] {
  const newest = plans.at(-1);
  if (!newest) return plans;
  const steps = newest.data.plan.steps.map((one) => {
    const member = data.members.find((other) => other.step === one.id);
    return member && one.tool === undefined
      ? { ...one, agent: member.name, prompt: member.agent.prompt, tools: member.agent.tools }
      : one;
  });
  return [...plans.slice(0, -1), { ...newest, data: { ...newest.data, plan: { ...newest.data.plan, steps } } }];
}

function change<T>(map: Map<string, T>, key: string, to: Partial<T>) {
  const was = map.get(key);
  if (was) map.set(key, { ...was, ...to });
}
