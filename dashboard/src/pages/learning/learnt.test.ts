import { expect, it } from "vitest";
import type { Experiment } from "../../api/experiments";
import type { Lesson } from "../../api/lessons";
import { armRates, between, byTurn, lastTrial, points, progress, rate } from "./learnt";

it("says differences in points, with their sign", () => {
  expect([0.4554, -0.2, 0.001].map(points)).toEqual(["+46 points", "−20 points", "0 points"]);
  expect(between(0.38, 0.52)).toBe("+38 and +52 points");
});

it("measures evidence on the scale on which it grows evenly", () => {
  expect(progress(0.5, 20)).toBe(0);
  expect(progress(Math.sqrt(20), 20)).toBeCloseTo(0.5);
  expect(progress(400, 20)).toBe(1);
});

it("says nothing about arms that nobody was in", () => {
  expect(rate(0, 0)).toBe("–");
  expect(armRates({ control: 0, control_successes: 0, candidate: 4, candidate_successes: 1 })).toEqual({ control: 0, candidate: 0.25 });
});

it("puts first what waits for a person", () => {
  const lesson = (status: Lesson["status"], changed_at: string) => ({ status, changed_at }) as Lesson;
  const sorted = byTurn([lesson("retired", "9"), lesson("active", "8"), lesson("proposed", "1"), lesson("proposed", "2")]);
  expect(sorted.map((one) => one.status + one.changed_at)).toEqual(["proposed2", "proposed1", "active8", "retired9"]);
});

it("finds the trial that was begun last", () => {
  const trials = [{ id: "a", lesson: "l", started_at: "1" }, { id: "b", lesson: "l", started_at: "2" }, { id: "c", lesson: "m", started_at: "3" }];
  expect(lastTrial("l", trials as Experiment[])?.id).toBe("b");
});
