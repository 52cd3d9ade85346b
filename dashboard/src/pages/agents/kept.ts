// What is said about things that are kept: pure, so that it can be tested.
import type { Item, ItemVersion } from "../../api/library";

/** `12 uses: 10 good, 1 bad` */
export function record({ uses, good, bad }: Item["record"]): string {
  const judged = [good > 0 && `${good} good`, bad > 0 && `${bad} bad`].filter(Boolean).join(", ");
  return judged ? `${uses}: ${judged}` : String(uses);
}

/** What two versions are compared by: everything that makes them what they are, and nothing about where they come from. */
export function essence(version: ItemVersion): Record<string, unknown> {
  const { description, keywords, body } = version;
  const { kind: _, prompt, ...rest } = (body ?? {}) as Record<string, unknown>;
  // Each line of a prompt is a line of its own, so that a changed line is one change.
  return { description, keywords, ...(typeof prompt === "string" ? { prompt: prompt.split("\n") } : {}), ...rest };
}

/** Where a version comes from, as a list of facts. */
export function lineageWords({ lineage }: ItemVersion): { run?: string; from?: string; by?: string } {
  return { run: lineage.run, from: lineage.from?.[0], by: lineage.by };
}
