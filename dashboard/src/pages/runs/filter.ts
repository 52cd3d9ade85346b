// What of the runs is listed, as the address says it.
import type { RunFilter } from "../../api/runs";

const WORDS = ["status", "strategy", "role", "session", "parent", "text", "since", "until"] as const;

export function filterOf(get: (name: string) => string | undefined): RunFilter {
  const filter: RunFilter = {};
  for (const name of WORDS) {
    const value = get(name);
    if (value) filter[name] = value;
  }
  if (get("in_doubt") === "true") filter.in_doubt = true;
  if (get("replanned") === "true") filter.replanned = true;
  return filter;
}

export function isFiltered(filter: RunFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** A moment as an input of the browser wants it: in the reader's zone, to the minute. */
export function localMinute(moment: string | undefined): string {
  if (!moment || Number.isNaN(Date.parse(moment))) return "";
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
