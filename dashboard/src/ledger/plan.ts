// Plans as they stand in events, and what they say about who waits for whom.

export type Call = { tool: string; arguments?: unknown };
export type AgentTask = { agent?: string; prompt?: string; tools?: string[]; max_iterations?: number };
export type Step = {
  id: string;
  goal?: string;
  tool?: string;
  arguments?: unknown;
  expects?: string;
  when?: string;
  check?: string;
  undo?: Call;
  depends_on?: string[];
  alternatives?: (Call | AgentTask)[];
} & AgentTask;
export type IntentDraft = { tool: string; arguments?: unknown; priority?: string; then?: IntentDraft[] };
export type Plan = { goal?: string; steps: Step[]; answer?: string; intents?: IntentDraft[] };

export type FieldChange = { field: string; before: unknown; after: unknown };
export type PlanDiff = {
  fields: FieldChange[];
  added: Step[];
  removed: Step[];
  changed: { step: string; fields: FieldChange[] }[];
};

const REFERENCE = /(^|[^$])\$\{\s*([A-Za-z0-9_-]+)([^}]*)\}/g;

export type Mention = { step: string; path: string };

/** Every `${step.path}` in a value. */
export function mentions(value: unknown): Mention[] {
  if (typeof value === "string") {
    return [...value.matchAll(REFERENCE)].map((match) => ({
      step: match[2] ?? "",
      path: (match[3] ?? "").replace(/^\./, ""),
    }));
  }
  if (Array.isArray(value)) return value.flatMap(mentions);
  if (value !== null && typeof value === "object") return Object.values(value).flatMap(mentions);
  return [];
}

/** The steps that a step waits for: those it names and those whose results it takes. */
export function waitsFor(step: Step, plan: Plan): string[] {
  const known = new Set(plan.steps.map((other) => other.id));
  const taken = mentions([step.arguments, step.when, step.prompt, step.goal, step.alternatives]).map(
    (mention) => mention.step,
  );
  return [...new Set([...(step.depends_on ?? []), ...taken])].filter((id) => known.has(id) && id !== step.id);
}

export function isAgent(step: Step): boolean {
  return step.tool === undefined;
}
