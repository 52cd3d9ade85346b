import { expect, it } from "vitest";
import { bestCoverage, byCoverage, calibrationError, promiseStatus, promiseWords, sure } from "./lab";

const POINTS = [
  { threshold: 0.99, coverage: 0.2, risk: 0, bound: 0.005 },
  { threshold: 0.9, coverage: 0.6, risk: 0.005, bound: 0.009 },
  { threshold: 0.5, coverage: 0.9, risk: 0.05, bound: 0.07 },
];

it("says what is promised, and why nothing is", () => {
  expect(promiseWords({ threshold: 0.987, alpha: 0.01, delta: 0.05, samples: 151 })).toBe(
    "From 98.7% on, at most 1.0% of fast answers are wrong, except with a chance of 5%; from 151 labelled requests.",
  );
  expect(promiseWords({ alpha: 0.01, delta: 0.05, samples: 3, why_not: "too few requests" })).toBe("too few requests");
  expect(promiseStatus({ alpha: 0.01, delta: 0.05, samples: 3, withdrawn: true }).word).toBe("withdrawn");
  expect(promiseStatus(undefined).word).toBe("always planned");
});

it("finds how much can be answered fast within the bound", () => {
  expect(bestCoverage({ examples: 9, alpha: 0.01, delta: 0.05, reliability: [], risk_coverage: POINTS })?.coverage).toBe(0.6);
  expect(bestCoverage({ examples: 9, alpha: 0.001, delta: 0.05, reliability: [], risk_coverage: POINTS })).toBeUndefined();
});

it("weighs bars by how many answers they stand for", () => {
  expect(calibrationError([{ confidence: 0.9, right: 0.8, count: 90 }, { confidence: 0.5, right: 0.5, count: 10 }])).toBeCloseTo(0.09);
  expect(calibrationError([])).toBe(0);
});

it("orders points for a plot", () => {
  expect(byCoverage([POINTS[2]!, POINTS[0]!, POINTS[0]!]).map((point) => point.coverage)).toEqual([0.2, 0.9]);
});

it("calls nothing certain that is not", () => {
  expect([0.99999, 1, 0.5].map(sure)).toEqual([">99.9%", "100.0%", "50.0%"]);
});
