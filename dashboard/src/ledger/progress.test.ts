import { expect, it } from "vitest";
import { TWO_CITIES } from "./make";
import { doing, stages } from "./progress";

const told = (upTo: number) => stages(TWO_CITIES.slice(0, upTo)).map((stage) => `${stage.label}: ${stage.status}`);

it("lights up stages as they come", () => {
  expect(told(2)).toEqual(["Route: running"]);
  expect(told(8)).toEqual(["Route: done", "Plan: done", "Work: running"]);
  expect(told(16)).toContain("Ask you: waiting");
  expect(told(TWO_CITIES.length)).toEqual(["Route: done", "Plan: done", "Work: done", "Ask you: done", "Answer: done"]);
});

it("says what is going on", () => {
  expect(doing(TWO_CITIES.slice(0, 1))).toBe("beginning");
  expect(doing(TWO_CITIES.slice(0, 6))).toBe("working on oslo");
  expect(doing(TWO_CITIES.slice(0, 8))).toBe("city.population answered");
  expect(doing(TWO_CITIES)).toBeUndefined();
});
