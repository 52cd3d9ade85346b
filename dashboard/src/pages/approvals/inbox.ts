// What the inbox says about a proposal, and what an edit sends: pure, so that it can be tested.
import type { Finding, PlanDraft, Proposal, StepDraft } from "../../api/proposal";
import { duration, money } from "../../words/format";

const GRAVITY = { high: 0, medium: 1, low: 2 };

/** Those with the most at stake first, and of these the oldest. */
export function byRisk(proposals: Proposal[]): Proposal[] {
  return proposals.toSorted((a, b) => GRAVITY[a.risk] - GRAVITY[b.risk] || a.asked_at.localeCompare(b.asked_at));
}

/** What was settled last first. */
export function byTime(proposals: Proposal[]): Proposal[] {
  const at = (one: Proposal) => one.decided?.at ?? one.expires_at ?? one.asked_at;
  return proposals.toSorted((a, b) => at(b).localeCompare(at(a)));
}

/** What the summary says besides the goal that it begins with. */
export function afterGoal({ summary, plan }: Proposal): string {
  const goal = plan?.goal ?? "";
  return goal !== "" && summary.startsWith(`${goal}: `) ? summary.slice(goal.length + 2) : summary;
}

/** `4 s to 11 s · $0.01 to $0.04` */
export function estimateWords({ usd, seconds }: NonNullable<Proposal["estimate"]>): string {
  const range = (from: string, to: string) => (from === to ? from : `${from} to ${to}`);
  return [range(duration(seconds[0] * 1000), duration(seconds[1] * 1000)), range(money(usd[0]), money(usd[1]))].join(" · ");
}

export function reachWords({ reversible, external }: { reversible: boolean; external: boolean }): string {
  return [reversible ? "can be taken back" : "cannot be taken back", external ? "leaves this machine" : "stays on this machine"].join(", ");
}

/** What somebody said, as a sentence about them. */
export function decidedWords(decided: NonNullable<Proposal["decided"]>): string {
  const { answer } = decided;
  const word = typeof answer === "string" ? answer : answer.decision;
  const past: Record<string, string> = { approve: "approved it", edit: "changed and approved it", reject: "rejected it", respond: "asked for something else", yes: "approved it", no: "rejected it" };
  return `${decided.by ?? "Somebody"} ${past[word] ?? `said ${word}`}`;
}

/** The verb that somebody used. */
export function said({ decided }: Proposal): string | undefined {
  return typeof decided?.answer === "string" ? decided.answer : decided?.answer.decision;
}

/** A step with one field changed; what is empty goes. */
export function withField(step: StepDraft, field: keyof StepDraft, value: unknown): StepDraft {
  const { [field]: _, ...rest } = step;
  const nothing = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return nothing ? rest : { ...step, [field]: value };
}

export function withStep(plan: PlanDraft, at: number, step: StepDraft): PlanDraft {
  return { ...plan, steps: plan.steps.map((other, index) => (index === at ? step : other)) };
}

export function ofStep(findings: Finding[], step: string | undefined): Finding[] {
  return findings.filter((finding) => (finding.step ?? undefined) === step);
}

/** An object, or what is wrong with the text. */
export function readObject(text: string): { value: Record<string, unknown> } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return { value: value as Record<string, unknown> };
    return { problem: "It must be an object: { … }." };
  } catch (error) {
    return { problem: `This is no JSON: ${(error as Error).message}` };
  }
}
