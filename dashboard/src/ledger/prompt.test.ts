import { expect, it } from "vitest";
import { TWO_CITIES } from "./make";
import { marked, pointsFor, pointsOf } from "./prompt";
import { sourced } from "./provenance";
import { fold } from "./state";

const state = fold(TWO_CITIES);

it("marks the points of guidelines in a prompt and changes nothing else", () => {
  const prompt = "You compare.\n\n# What earlier work has taught\n\n- Name the source.\n- Be kind.\n";
  const pieces = marked(prompt, pointsOf(state.guidelines));
  expect(pieces.map((piece) => piece.text).join("")).toBe(prompt);
  expect(pieces.filter((piece) => piece.point).map((piece) => [piece.text, piece.point?.lesson])).toEqual([
    ["- Name the source.", "lsn_1"],
  ]);
});

it("tells each component its own points and those for all", () => {
  const guideline = (agent: string) => ({ agent, version: "1.0.0", points: [{ source: "x", text: `for ${agent}` }] });
  const told = pointsFor("planner", [guideline("all"), guideline("planner"), guideline("agent")]);
  expect(told.map((point) => point.text)).toEqual(["for all", "for planner"]);
});

it("says where arguments come from", () => {
  const call = TWO_CITIES[7]!;
  expect(sourced(call, { city: "Oslo", days: 2 }, state, TWO_CITIES).map((one) => one.origins[0]?.kind)).toEqual([
    "request",
    "plan",
  ]);
  const write = TWO_CITIES[17]!;
  expect(sourced(write, { text: "Oslo 717710" }, state, TWO_CITIES)[0]?.origins.map((one) => one.kind)).toEqual([
    "agent",
    "result",
  ]);
});

it("says which step's result an argument was taken from", () => {
  const plan = {
    steps: [
      { id: "a", tool: "x.y" },
      { id: "b", tool: "z.z", arguments: { to: "${a.mail}" } },
    ],
  };
  const planned = { seq: 1, key: "plan/1", at: "", kind: "planned" as const, data: { version: 1, plan } };
  const call = {
    seq: 2,
    key: "step/b/1/way/1/call",
    at: "",
    kind: "tool_called" as const,
    data: { tool: "z.z", arguments: {}, result: { ok: 1 }, millis: 1 },
  };
  const [to] = sourced(call, { to: "eve" }, fold([planned, call]), [planned, call]);
  expect(to?.origins).toEqual([{ kind: "result", says: "from the result of `a`, `mail`", step: "a" }]);
});
