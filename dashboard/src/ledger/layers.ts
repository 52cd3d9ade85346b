// Where the steps of a plan stand: each to the right of everything it waits for, with as few crossings as a few sweeps give.
import { waitsFor, type Plan } from "./plan";

export type Placed = { id: string; x: number; y: number };
export type Edge = { from: string; to: string };
export type Layout = { nodes: Placed[]; edges: Edge[] };

export function layers(plan: Plan, wide: number, tall: number): Layout {
  const before = new Map(plan.steps.map((step) => [step.id, waitsFor(step, plan)]));
  const depth = new Map<string, number>();
  const depthOf = (id: string, seen: Set<string>): number => {
    const known = depth.get(id);
    if (known !== undefined) return known;
    if (seen.has(id)) return 0;
    seen.add(id);
    const found = Math.max(-1, ...(before.get(id) ?? []).map((other) => depthOf(other, seen))) + 1;
    depth.set(id, found);
    return found;
  };
  const columns: string[][] = [];
  for (const step of plan.steps) (columns[depthOf(step.id, new Set())] ??= []).push(step.id);
  const after = new Map<string, string[]>();
  for (const [id, others] of before) for (const other of others) after.set(other, [...(after.get(other) ?? []), id]);
  for (let sweep = 0; sweep < 4; sweep++) {
    const forward = sweep % 2 === 0;
    for (let nth = 1; nth < columns.length; nth++) {
      const at = forward ? nth : columns.length - 1 - nth;
      const beside = columns[forward ? at - 1 : at + 1] ?? [];
      columns[at] = sorted(columns[at] ?? [], beside, forward ? before : after);
    }
  }
  const most = Math.max(1, ...columns.map((column) => column.length));
  const nodes = columns.flatMap((column, x) =>
    column.map((id, nth) => ({ id, x: x * wide, y: (nth + (most - column.length) / 2) * tall })),
  );
  const edges = plan.steps.flatMap((step) => (before.get(step.id) ?? []).map((from) => ({ from, to: step.id })));
  return { nodes, edges };
}

/** By the middle of those beside it that they are tied to; what is tied to nothing stays where it is. */
function sorted(column: string[], beside: string[], tied: Map<string, string[]>): string[] {
  const middle = new Map(
    column.map((id, nth) => {
      const places = (tied.get(id) ?? []).map((other) => beside.indexOf(other)).filter((place) => place >= 0);
      return [id, places.length ? places.reduce((sum, place) => sum + place, 0) / places.length : nth];
    }),
  );
  return column.toSorted((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
}
