// Everything that can happen to a run, as the server tells it. Unknown kinds and fields are shown as they are.
import type { Plan } from "./plan";

export type Outcome<T, E> = { ok: T } | { err: E };
export type Usage = { input_tokens: number; output_tokens: number; cost: number };
export type Reply = {
  text?: string;
  calls?: { id: string; name: string; arguments: unknown }[];
  stop?: string;
  usage?: Usage;
};
export type Trouble = { error: string; detail?: string; model?: string; tool?: string; [more: string]: unknown };
export type Spent = Usage & { model_calls: number; tool_calls: number };
export type StepOutcome =
  | { outcome: "done"; output: unknown }
  | { outcome: "failed"; reason: string; in_doubt?: boolean }
  | { outcome: "skipped"; reason: string };
export type Settlement =
  | { outcome: "done"; result: unknown }
  | { outcome: "failed"; error: Trouble }
  | { outcome: "unknown"; detail: string }
  | { outcome: "withheld"; detail: string };
export type Finding = { code: string; step?: string; says: string; weight: string };
export type Point = { source: string; text: string; problem?: string; lesson?: string };
export type Guideline = { agent: string; version: string; points: Point[]; trials?: unknown[] };
export type Signal = { name: string; value: number; says?: string };
export type Part = {
  text: string;
  role: string;
  confidence: number;
  act?: { action: string; confidence: number; tool: string; arguments?: Record<string, unknown> };
  missing?: { parameters: string[]; question: string };
};
export type Judgement = {
  decision: string;
  role: string;
  confidence: number;
  parts: Part[];
  signals?: Signal[];
  certificate?: {
    threshold?: number;
    alpha: number;
    delta: number;
    samples: number;
    withdrawn?: boolean;
    why_not?: string;
  };
};
export type Need =
  | { need: "answer"; question: string }
  | { need: "approval"; question: string; hash: string; proposal?: { summary?: string; why?: string; risk?: string } }
  | { need: "budget"; question: string }
  | { need: "time"; at: string };
export type Wait = { name: string; need: Need; until?: string };
export type Intent = { key: string; step?: string; tool: string; arguments: unknown; priority?: string };
export type Ending =
  | { status: "completed"; answer: string }
  | { status: "failed"; reason: string; error: string; answer?: string }
  | { status: "cancelled"; reason?: string };
export type Choice = { decision: string; kind: string; item?: [string, string]; score?: number; why: string };
export type Range = { low: number; middle: number; high: number };
export type Member = {
  step: string;
  goal: string;
  name: string;
  description: string;
  choice?: Choice;
  agent: { prompt: string; tools: string[] };
};

export type Data = {
  received: {
    request: { text: string; session?: string; user?: string; zone?: string; wishes?: Record<string, unknown> };
    parent?: { run: string; seq: number };
  };
  resumed: { epoch: number };
  routed: { route: "plan" | "given" | "reflex" | "fast"; strategy: string; why: string; judgement?: Judgement };
  recalled: {
    memories: string[];
    recent: string[];
    guidelines?: Guideline[];
    shortlist?: { tools: string[] };
    experience?: { tool: string; words: string }[];
  };
  chosen: { step?: string; choice: Choice; item?: unknown };
  weighed: { complexity: { score: number; passes: number; orchestration: string; explanation: string } };
  thought: { round: number; pass: number; thought: { reasoning: string; confidence: number; [more: string]: unknown } };
  verified: { attempt: number; findings: Finding[]; bounds?: Record<string, unknown> };
  plan_refused: { version: number; findings: string[] };
  planned: {
    version: number;
    plan: Plan;
    because?: string;
    configuration?: Record<string, unknown>;
    notes?: { confidence?: number; complexity?: string; rationale?: string };
  };
  critiqued: {
    version: number;
    critique: {
      overall: number;
      verdict: string;
      summary: string;
      scores: Record<string, number>;
      issues: { severity: string; description: string }[];
    };
  };
  scored: { version: number; confidence: { overall: number; advice?: string; drivers?: string[] } };
  assessed: {
    version: number;
    assessment: { quality: number; assessment: string; should_replan: boolean; should_deepen: boolean };
  };
  gated: { version: number; next: string; why: string };
  foreseen: { version: number; forecast: { usd: Range; seconds: Range; success: Range; explanation: string } };
  staffed: { version: number; members: Member[] };
  forged: { agent: string; step?: string; tools: string[]; prompt: string; max_iterations: number; offered?: string };
  step_started: { step: string; attempt: number };
  model_called: { component: string; model: string; reply: Outcome<Reply, Trouble>; millis: number };
  tool_called: { tool: string; arguments: unknown; result: Outcome<unknown, Trouble>; millis: number };
  message_sent: { from: string; to: string; text: string; purpose?: string; refused?: string };
  messages_read: { agent: string; count: number };
  intent_declared: { intent: Intent };
  intent_sent: { intent: string; attempt: number };
  intent_settled: { intent: string; settlement: Settlement };
  step_finished: { step: string; attempt: number; outcome: StepOutcome };
  kept: { items: { name: string; description: string; body?: { kind?: string } }[] };
  waiting: { wait: Wait };
  answered: { name: string; answer: unknown; by?: string };
  cancel_asked: { reason?: string };
  finished: { ending: Ending; spent: Spent; worked_ms?: number };
};

export type Kind = keyof Data;
export type EventOf<K extends Kind> = {
  seq: number;
  key: string;
  input?: string;
  at: string;
  kind: K;
  data: Data[K];
  /** Of what waits for a person to decide: the id of the approval. */
  approval?: string;
};
export type Event = { [K in Kind]: EventOf<K> }[Kind];

/** What each kind belongs to, in the order of a run. */
export const FAMILIES: Record<
  Kind,
  "run" | "route" | "reasoning" | "agents" | "steps" | "calls" | "intents" | "people"
> = {
  received: "run",
  resumed: "run",
  finished: "run",
  cancel_asked: "people",
  kept: "run",
  routed: "route",
  recalled: "route",
  chosen: "agents",
  weighed: "route",
  thought: "reasoning",
  verified: "reasoning",
  plan_refused: "reasoning",
  planned: "reasoning",
  critiqued: "reasoning",
  scored: "reasoning",
  assessed: "reasoning",
  gated: "reasoning",
  foreseen: "reasoning",
  staffed: "agents",
  forged: "agents",
  message_sent: "agents",
  messages_read: "agents",
  step_started: "steps",
  step_finished: "steps",
  model_called: "calls",
  tool_called: "calls",
  intent_declared: "intents",
  intent_sent: "intents",
  intent_settled: "intents",
  waiting: "people",
  answered: "people",
};

export const KINDS = Object.keys(FAMILIES) as Kind[];
export type Family = (typeof FAMILIES)[Kind];

export function isKnown(kind: string): kind is Kind {
  return kind in FAMILIES;
}

/** The step and attempt that a key such as `step/look/2/way/1` belongs to. */
export function stepOf(key: string): { step: string; attempt: number; way?: number; turn?: number } | undefined {
  const match = /^step\/([^/]+)\/(\d+)(?:\/way\/(\d+))?(?:\/turn\/(\d+))?/.exec(key);
  if (!match) return undefined;
  const number = (at: number) => (match[at] === undefined ? undefined : Number(match[at]));
  return { step: match[1] ?? "", attempt: Number(match[2]), way: number(3), turn: number(4) };
}

export function went<T, E>(outcome: Outcome<T, E>): outcome is { ok: T } {
  return "ok" in outcome;
}
