// What a proposal is made of, where the document only says that it is an object.
import type { Approval } from "./types";

export type ProposedAgent = {
  id: string;
  step: string;
  description: string;
  prompt: string;
  tools: string[];
  decision?: string;
  why?: string;
  from?: string;
};
export type ProposedEffect = { step?: string; tool: string; words: string; reversible: boolean; external: boolean };
export type Estimate = { usd: [number, number]; seconds: [number, number] };
export type Finding = { code: string; step?: string; says: string; weight: "notice" | "approval" | "fatal" };
export type Patch = { op: string; path: string; value?: unknown };
export type Ruling = { decision: "approve" | "edit" | "reject" | "respond"; reason?: string; message?: string };
export type Decided = { answer: Ruling | string; by?: string; at: string };
export type StepDraft = {
  id?: string;
  goal?: string;
  tool?: string;
  arguments?: unknown;
  agent?: string;
  prompt?: string;
  tools?: string[];
  depends_on?: string[];
  when?: string;
  [other: string]: unknown;
};
export type PlanDraft = { goal?: string; steps: StepDraft[]; answer?: string; [other: string]: unknown };

type Inner = "agents" | "effects" | "estimate" | "findings" | "diff" | "decided" | "plan";
export type Proposal = Omit<Approval, Inner> & {
  agents: ProposedAgent[];
  effects: ProposedEffect[];
  estimate?: Estimate;
  findings: Finding[];
  diff: Patch[];
  decided?: Decided;
  plan?: PlanDraft;
};

/** The same approval, with what it is made of named. */
export function proposalOf(approval: Approval): Proposal {
  return approval as unknown as Proposal;
}
