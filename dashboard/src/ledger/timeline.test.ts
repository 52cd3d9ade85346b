import { expect, it } from "vitest";
import { START, TWO_CITIES } from "./make";
import { scale } from "./scale";
import { timeline } from "./timeline";

const drawn = timeline(TWO_CITIES, START);

it("has a row for each stage and each attempt at a step, with calls inside", () => {
  expect(drawn.rows.map((row) => [row.label, row.bars.map((bar) => bar.kind)])).toEqual([
    ["Plan", ["model"]],
    ["oslo", ["step", "tool"]],
    ["bergen", ["step", "tool"]],
    ["bergen · attempt 2", ["step", "tool"]],
    ["tell", ["step", "intent", "model"]],
    ["Waiting for you", ["wait"]],
  ]);
  expect(drawn.rows[3]?.again).toBe(true);
  expect(drawn.rows[2]?.bars[0]?.status).toBe("failed");
});

it("shows steps that run at the same time side by side", () => {
  const [oslo, bergen] = [drawn.rows[1]?.bars[0], drawn.rows[2]?.bars[0]];
  expect(oslo?.from).toBe(bergen?.from);
  expect(bergen!.to).toBeGreaterThan(oslo!.to);
});

it("has a row for an agent that has the whole plan, and for what nobody foresaw", () => {
  const call = { ...TWO_CITIES[7]!, key: "agent/2/turn/1/tool/0" };
  const odd = { ...TWO_CITIES[7]!, key: "wild_thing/1" };
  expect(timeline([call, odd], START).rows.map((row) => row.label)).toEqual(["Agent, plan 2", "wild thing"]);
});

it("puts calls that run at the same time into lanes of their own", () => {
  const call = (seq: number, ms: number) => ({
    ...TWO_CITIES[7]!,
    seq,
    key: `agent/1/turn/1/tool/${seq}`,
    at: new Date(START + ms).toISOString(),
  });
  const [row] = timeline([call(1, 100), call(2, 150), call(3, 260)], START).rows;
  expect([row?.lanes, row?.bars.map((bar) => bar.lane)]).toEqual([2, [0, 1, 0]]);
});

it("begins a call when it was made, not when it was answered", () => {
  expect(drawn.rows[0]?.bars[0]).toMatchObject({ from: START + 10, to: START + 310 });
});

it("lets what is under way reach until now", () => {
  const open = timeline(TWO_CITIES.slice(0, 7), START + 5000);
  expect(open.rows.find((row) => row.label === "oslo")?.bars[0]).toMatchObject({ status: "running", to: START + 5000 });
});

it("folds an hour of waiting and keeps moments in order", () => {
  const { at, pieces } = scale(drawn);
  expect(pieces.filter((piece) => piece.folded)).toHaveLength(1);
  expect(at(START + 600)).toBeGreaterThan(0.3);
  const moments = [0, 310, 600, 3_600_611, 3_600_700, 3_600_910].map((ms) => at(START + ms));
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  expect(at(drawn.to)).toBeCloseTo(1);
});
