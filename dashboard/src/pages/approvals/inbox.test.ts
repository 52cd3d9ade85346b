import { expect, it } from "vitest";
import type { Proposal } from "../../api/proposal";
import { byRisk, decidedWords, estimateWords, readObject, withField } from "./inbox";

const asked = (risk: Proposal["risk"], asked_at: string) => ({ risk, asked_at, id: `${risk}-${asked_at}` }) as Proposal;

it("puts what cannot be taken back first, and of the same risk the oldest", () => {
  const sorted = byRisk([asked("low", "1"), asked("high", "3"), asked("medium", "2"), asked("high", "2")]);
  expect(sorted.map((one) => one.id)).toEqual(["high-2", "high-3", "medium-2", "low-1"]);
});

it("says what it is expected to take", () => {
  expect(estimateWords({ usd: [0.01, 0.04], seconds: [4, 11] })).toBe("4.00 s to 11.0 s · $0.01 to $0.04");
  expect(estimateWords({ usd: [0, 0], seconds: [4, 4] })).toBe("4.00 s · $0");
});

it("says who decided what", () => {
  expect(decidedWords({ answer: { decision: "edit" }, by: "ada", at: "" })).toBe("ada changed and approved it");
  expect(decidedWords({ answer: "no", at: "" })).toBe("Somebody rejected it");
});

it("drops fields that were emptied", () => {
  expect(withField({ id: "a", prompt: "x" }, "prompt", "")).toEqual({ id: "a" });
  expect(withField({ id: "a" }, "tools", ["b"])).toEqual({ id: "a", tools: ["b"] });
});

it("reads objects and says what is none", () => {
  expect(readObject('{"a": 1}')).toEqual({ value: { a: 1 } });
  expect(readObject("[1]")).toEqual({ problem: "It must be an object: { … }." });
  expect("problem" in readObject("{")).toBe(true);
});
