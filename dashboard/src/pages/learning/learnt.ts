// What is said about lessons and experiments: pure, so that it can be tested.
import type { Effect, Experiment, Tally } from "../../api/experiments";
import type { Evidence } from "../../api/learning";
import type { Lesson } from "../../api/lessons";
import { share } from "../../words/format";

/** A difference of success rates as people say it: `+46 points`. */
export function points(difference: number): string {
  const rounded = Math.round(difference * 100);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)} points`;
}

export function between(low: number, high: number): string {
  return `${points(low).replace(" points", "")} and ${points(high)}`;
}

export function effectWords(effect: Effect): string {
  return `${points(effect.estimate)}, between ${between(effect.low, effect.high)}`;
}

export function rate(successes: number, all: number): string {
  return all === 0 ? "–" : share(successes / all);
}

export function armRates(tally: Tally): { control: number; candidate: number } {
  const of = (good: number, all: number) => (all === 0 ? 0 : good / all);
  return { control: of(tally.control_successes, tally.control), candidate: of(tally.candidate_successes, tally.candidate) };
}

/** How far evidence has come on the way to what it must reach, from 0 to 1, on the scale on which it grows evenly. */
export function progress(evidence: number, needed: number): number {
  return evidence <= 1 ? 0 : Math.min(Math.log(evidence) / Math.log(needed), 1);
}

export function support(evidence: Evidence): { with: number; without: number } {
  return { with: evidence.with_success + evidence.with_failure, without: evidence.without_success + evidence.without_failure };
}

const ORDER: Record<Lesson["status"], number> = { proposed: 0, canary: 1, shadow: 2, active: 3, retired: 4 };

/** What a person may have to say something about first, then what is on its way, then what has arrived. */
export function byTurn(lessons: Lesson[]): Lesson[] {
  return lessons.toSorted((a, b) => ORDER[a.status] - ORDER[b.status] || b.changed_at.localeCompare(a.changed_at));
}

/** The experiment that a lesson is in, or was in last. */
export function lastTrial(lesson: string, experiments: Experiment[]): Experiment | undefined {
  return experiments.filter((one) => one.lesson === lesson).toSorted((a, b) => b.started_at.localeCompare(a.started_at))[0];
}

export const STAGES = [
  { id: "proposed", title: "Proposed", says: "waits for a yes" },
  { id: "shadow", title: "On record", says: "nobody is told" },
  { id: "canary", title: "On trial", says: "told to some" },
  { id: "active", title: "Told to all", says: "in a guideline" },
  { id: "retired", title: "Retired", says: "told to nobody" },
] as const;
