import { expect, it } from "vitest";
import type { ItemVersion } from "../../api/library";
import { essence, record } from "./kept";

it("counts uses and how they went", () => {
  expect(record({ uses: 12, good: 10, bad: 1 })).toBe("12: 10 good, 1 bad");
  expect(record({ uses: 0, good: 0, bad: 0 })).toBe("0");
});

it("compares what versions are, not where they come from", () => {
  const version = { name: "a", version: 2, hash: "x", description: "d", keywords: ["k"], body: { kind: "agent", prompt: "one\ntwo", tools: ["t"] }, lineage: { run: "r" } };
  expect(essence(version as unknown as ItemVersion)).toBe("description: d\nkeywords: k\ntools: t\n\none\ntwo");
});
