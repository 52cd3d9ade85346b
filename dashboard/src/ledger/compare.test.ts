import { expect, it } from "vitest";
import { pairs, shared } from "./compare";
import { TWO_CITIES } from "./make";
import { fold } from "./state";

it("finds where two runs part, whenever they were", () => {
  const later = TWO_CITIES.map((event) => ({ ...event, at: "2027-01-01T00:00:00Z" }));
  expect(shared(TWO_CITIES, later)).toBe(TWO_CITIES.length);
  const other = later.map((event) =>
    event.seq === 8 && event.kind === "tool_called"
      ? { ...event, data: { ...event.data, result: { ok: "Oslo 1" } } }
      : event,
  );
  expect(shared(TWO_CITIES, other)).toBe(7);
});

it("pairs steps, and says which plan has none", () => {
  const short = fold(
    TWO_CITIES.map((event) =>
      event.kind === "planned"
        ? { ...event, data: { ...event.data, plan: { steps: event.data.plan.steps.slice(0, 2) } } }
        : event,
    ),
  );
  expect(pairs(fold(TWO_CITIES), short).map((pair) => [pair.id, pair.b === "missing"])).toEqual([
    ["oslo", false],
    ["bergen", false],
    ["tell", true],
  ]);
});
