// What is said about things that are kept: pure, so that it can be tested.
import type { Item, ItemVersion } from "../../api/library";

/** `12 uses: 10 good, 1 bad` */
export function record({ uses, good, bad }: Item["record"]): string {
  const judged = [good > 0 && `${good} good`, bad > 0 && `${bad} bad`].filter(Boolean).join(", ");
  return judged ? `${uses}: ${judged}` : String(uses);
}

/** What two versions are compared by, as text: what makes them what they are, and nothing about where they come from. */
export function essence({ description, keywords, body }: ItemVersion): string {
  const { kind: _, prompt, tools, ...rest } = (body ?? {}) as Record<string, unknown>;
  const said = [`description: ${description}`, `keywords: ${keywords.join(", ")}`];
  if (Array.isArray(tools)) said.push(`tools: ${tools.join(", ")}`);
  for (const [name, value] of Object.entries(rest)) said.push(`${name}: ${typeof value === "string" ? value : JSON.stringify(value, null, 2)}`);
  if (typeof prompt === "string") said.push("", prompt);
  return said.join("\n");
}

/** Where a version comes from, as a list of facts. */
export function lineageWords({ lineage }: ItemVersion): { run?: string; from?: string; by?: string } {
  return { run: lineage.run, from: lineage.from?.[0], by: lineage.by };
}
