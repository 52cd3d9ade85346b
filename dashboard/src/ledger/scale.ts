// Where a moment stands on an axis on which nothing-happens takes little room.
import type { Timeline } from "./timeline";

export type Piece = {
  from: number;
  to: number;
  /** Where it stands, from 0 to 1. */ start: number;
  end: number;
  folded: boolean;
};
type Span = [number, number];
export type Scale = { pieces: Piece[]; at: (moment: number) => number };

/** A gap is folded when it is this many times as long as the work around it. */
const FOLD_SHARE = 0.35;
const FOLDED_WIDTH = 0.04;

export function scale({ rows, from, to }: Timeline): Scale {
  const bars = rows.flatMap((row) => row.bars);
  const waits = merged(
    bars.filter((bar) => bar.kind === "wait"),
    from,
  );
  // A step that waits for somebody is not at work.
  const spans = bars.flatMap((bar) =>
    bar.kind === "step" ? without([bar.from, bar.to], waits) : bar.kind === "wait" ? [] : [[bar.from, bar.to] as Span],
  );
  const busy = merged(
    spans.map(([start, end]) => ({ from: start, to: end })),
    from,
  );
  const work = busy.reduce((sum, [start, end]) => sum + end - start, 0);
  const least = Math.max(work * FOLD_SHARE, 400);
  const cuts: { from: number; to: number; folded: boolean }[] = [];
  let here = from;
  for (const [start, end] of [...busy, [to, to] as Span]) {
    if (start - here > least) {
      cuts.push({ from: here, to: start, folded: true });
    } else if (start > here) {
      join(cuts, { from: here, to: start, folded: false });
    }
    if (end > start) join(cuts, { from: Math.max(start, here), to: end, folded: false });
    here = Math.max(here, end);
  }
  const folded = cuts.filter((cut) => cut.folded).length;
  const room = 1 - folded * FOLDED_WIDTH;
  const shown = cuts.reduce((sum, cut) => sum + (cut.folded ? 0 : cut.to - cut.from), 0) || 1;
  let at = 0;
  const pieces = cuts.map((cut) => {
    const wide = cut.folded
      ? shown === 1 && folded === cuts.length
        ? 1 / folded
        : FOLDED_WIDTH
      : ((cut.to - cut.from) / shown) * room;
    const piece = { ...cut, start: at, end: at + wide };
    at += wide;
    return piece;
  });
  return { pieces, at: (moment) => place(pieces, moment) };
}

function place(pieces: Piece[], moment: number): number {
  const piece = pieces.find((one) => moment <= one.to) ?? pieces.at(-1);
  if (!piece) return 0;
  const share = piece.to === piece.from ? 0 : Math.min(Math.max((moment - piece.from) / (piece.to - piece.from), 0), 1);
  return piece.start + share * (piece.end - piece.start);
}

function join(
  cuts: { from: number; to: number; folded: boolean }[],
  next: { from: number; to: number; folded: boolean },
) {
  const last = cuts.at(-1);
  if (last && !last.folded) last.to = Math.max(last.to, next.to);
  else cuts.push(next);
}

function without([from, to]: Span, holes: Span[]): Span[] {
  const left: Span[] = [];
  let here = from;
  for (const [start, end] of holes) {
    if (end <= here || start >= to) continue;
    if (start > here) left.push([here, start]);
    here = end;
  }
  if (here < to || left.length === 0) left.push([Math.min(here, to), to]);
  return left;
}

function merged(spans: { from: number; to: number }[], least: number): Span[] {
  const sorted = spans.map((span): Span => [Math.max(span.from, least), span.to]).sort((a, b) => a[0] - b[0]);
  const found: Span[] = [];
  for (const [from, to] of sorted) {
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}
