// Ledgers for tests, in a few words each.
import type { Data, Event, Kind } from "./events";

export const START = Date.parse("2026-11-15T12:00:00Z");

type Told = { [K in Kind]: [ms: number, kind: K, data: Data[K], key?: string] }[Kind];

export function ledger(...told: Told[]): Event[] {
  return told.map(
    ([ms, kind, data, key], at) =>
      ({
        seq: at + 1,
        key: key ?? kind,
        at: new Date(START + ms).toISOString(),
        kind,
        data,
        approval: asks(data),
      }) as Event,
  );
}

function asks(data: Data[Kind]): string | undefined {
  return "wait" in data && data.wait.need.need === "approval" ? "apr_1" : undefined;
}

export const REPLY = { ok: { text: "done", usage: { input_tokens: 10, output_tokens: 5, cost: 0.01 } } };

export const TWO_CITIES = ledger(
  [0, "received", { request: { text: "Compare Oslo and Bergen" } }],
  [5, "routed", { route: "plan", strategy: "task_graph", why: "it wants several things" }],
  [
    10,
    "recalled",
    {
      memories: [],
      recent: [],
      guidelines: [
        { agent: "agent", version: "1.1.0", points: [{ source: "learnt", text: "Name the source.", lesson: "lsn_1" }] },
      ],
    },
  ],
  [310, "model_called", { component: "planner", model: "scripted", reply: REPLY, millis: 300 }, "plan/1/model"],
  [
    311,
    "planned",
    {
      version: 1,
      plan: {
        goal: "compare",
        steps: [
          { id: "oslo", goal: "look Oslo up", tool: "city.population", arguments: { city: "Oslo" } },
          { id: "bergen", goal: "look Bergen up", tool: "city.population", arguments: { city: "Bergen" } },
          {
            id: "tell",
            goal: "tell them",
            prompt: "${oslo} and ${bergen}",
            tools: ["audit.note"],
            depends_on: ["oslo"],
          },
        ],
      },
    },
    "plan/1",
  ],
  [320, "step_started", { step: "oslo", attempt: 1 }, "step/oslo/1/started"],
  [320, "step_started", { step: "bergen", attempt: 1 }, "step/bergen/1/started"],
  [
    420,
    "tool_called",
    { tool: "city.population", arguments: { city: "Oslo" }, result: { ok: "Oslo 717710" }, millis: 100 },
    "step/oslo/1/way/1/call",
  ],
  [
    421,
    "step_finished",
    { step: "oslo", attempt: 1, outcome: { outcome: "done", output: "Oslo 717710" } },
    "step/oslo/1/finished",
  ],
  [
    520,
    "tool_called",
    { tool: "city.population", arguments: { city: "Bergen" }, result: { err: { error: "timed_out" } }, millis: 200 },
    "step/bergen/1/way/1/call",
  ],
  [
    521,
    "step_finished",
    { step: "bergen", attempt: 1, outcome: { outcome: "failed", reason: "it took too long" } },
    "step/bergen/1/finished",
  ],
  [530, "step_started", { step: "bergen", attempt: 2 }, "step/bergen/2/started"],
  [
    600,
    "tool_called",
    { tool: "city.population", arguments: { city: "Bergen" }, result: { ok: "Bergen 291940" }, millis: 70 },
    "step/bergen/2/way/1/call",
  ],
  [
    601,
    "step_finished",
    { step: "bergen", attempt: 2, outcome: { outcome: "done", output: "Bergen 291940" } },
    "step/bergen/2/finished",
  ],
  [610, "step_started", { step: "tell", attempt: 1 }, "step/tell/1/started"],
  [
    611,
    "waiting",
    {
      wait: {
        name: "step/tell/1/way/1/turn/1/tool/0/approval",
        need: { need: "approval", question: "May it?", hash: "sha256:1" },
      },
    },
    "step/tell/1/way/1/turn/1/tool/0/approval/waiting",
  ],
  [3_600_611, "answered", { name: "step/tell/1/way/1/turn/1/tool/0/approval", answer: "yes", by: "ada" }, "answer/x"],
  [
    3_600_650,
    "intent_declared",
    {
      intent: {
        key: "run_1/step/tell/1/way/1/turn/1/tool/0",
        step: "tell",
        tool: "audit.note",
        arguments: { text: "Oslo 717710" },
      },
    },
    "step/tell/1/way/1/turn/1/tool/0/declared",
  ],
  [
    3_600_651,
    "intent_sent",
    { intent: "run_1/step/tell/1/way/1/turn/1/tool/0", attempt: 1 },
    "step/tell/1/way/1/turn/1/tool/0/sent/1",
  ],
  [
    3_600_700,
    "intent_settled",
    { intent: "run_1/step/tell/1/way/1/turn/1/tool/0", settlement: { outcome: "done", result: 1 } },
    "step/tell/1/way/1/turn/1/tool/0/settled",
  ],
  [
    3_600_900,
    "model_called",
    { component: "agent", model: "scripted", reply: REPLY, millis: 150 },
    "step/tell/1/way/1/turn/2",
  ],
  [
    3_600_901,
    "step_finished",
    { step: "tell", attempt: 1, outcome: { outcome: "done", output: "done" } },
    "step/tell/1/finished",
  ],
  [
    3_600_910,
    "finished",
    {
      ending: { status: "completed", answer: "Oslo is larger." },
      spent: { input_tokens: 20, output_tokens: 10, cost: 0.02, model_calls: 2, tool_calls: 4 },
    },
  ],
);
