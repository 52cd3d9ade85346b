// Two runs side by side: where they part, and what each step became in both.
import type { Event } from "./events";
import { planOf, type RunState, type StepState } from "./state";

export type Pair = { id: string; a?: StepState | "missing"; b?: StepState | "missing" };

/** How many events from the beginning are alike in what they are, whenever they were. */
export function shared(a: Event[], b: Event[]): number {
  let alike = 0;
  while (alike < Math.min(a.length, b.length) && sameAs(a[alike], b[alike])) alike++;
  return alike;
}

/** Steps of either plan, in the order of the first. */
export function pairs(a: RunState, b: RunState): Pair[] {
  const [inA, inB] = [planOf(a)?.steps ?? [], planOf(b)?.steps ?? []];
  const ids = [...new Set([...inA, ...inB].map((step) => step.id))];
  const of = (state: RunState, steps: { id: string }[], id: string) =>
    steps.some((step) => step.id === id) ? state.steps.get(id) : ("missing" as const);
  return ids.map((id) => ({ id, a: of(a, inA, id), b: of(b, inB, id) }));
}

function sameAs(a: Event | undefined, b: Event | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.kind === b.kind &&
    a.key === b.key &&
    JSON.stringify(bare(a)) === JSON.stringify(bare(b))
  );
}

/** Without what is never the same twice: moments, durations, and the id of the run in keys of writes. */
function bare(event: Event): unknown {
  return JSON.parse(
    JSON.stringify(event.data, (name, value: unknown) =>
      name === "millis" || name === "at" || name === "parent" || name === "worked_ms"
        ? undefined
        : typeof value === "string"
          ? value.replace(/run_[0-9a-f]{32}/g, "run")
          : value,
    ),
  );
}
