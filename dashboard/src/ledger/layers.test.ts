import { expect, it } from "vitest";
import { layers } from "./layers";
import { TWO_CITIES } from "./make";
import { mentions, type Plan } from "./plan";
import { fold, planOf } from "./state";

it("puts each step to the right of everything it waits for, named or only referred to", () => {
  const { nodes, edges } = layers(planOf(fold(TWO_CITIES))!, 100, 50);
  expect(edges).toEqual([
    { from: "oslo", to: "tell" },
    { from: "bergen", to: "tell" },
  ]);
  expect(nodes.map((node) => [node.id, node.x])).toEqual([
    ["oslo", 0],
    ["bergen", 0],
    ["tell", 100],
  ]);
});

it("keeps lines from crossing where it can", () => {
  const plan: Plan = {
    steps: [{ id: "a" }, { id: "b" }, { id: "x", depends_on: ["b"] }, { id: "y", depends_on: ["a"] }],
  };
  const y = new Map(layers(plan, 100, 50).nodes.map((node) => [node.id, node.y]));
  expect(y.get("y")! < y.get("x")!).toBe(y.get("a")! < y.get("b")!);
});

it("stands a plan that goes in circles", () => {
  expect(
    layers(
      {
        steps: [
          { id: "a", depends_on: ["b"] },
          { id: "b", depends_on: ["a"] },
        ],
      },
      1,
      1,
    ).nodes,
  ).toHaveLength(2);
});

it("finds references anywhere in a value, but not what only looks like one", () => {
  expect(mentions({ x: ["${a.b[0]} and ${c}"], y: "costs $${five}" })).toEqual([
    { step: "a", path: "b[0]" },
    { step: "c", path: "" },
  ]);
});
