import { expect, it } from "vitest";
import { TWO_CITIES } from "./make";
import { agentOf, fold, planOf } from "./state";

it("follows steps through their attempts", () => {
  const state = fold(TWO_CITIES);
  expect([...state.steps.values()].map((step) => [step.id, step.status, step.attempts.length])).toEqual([
    ["oslo", "done", 1],
    ["bergen", "done", 2],
    ["tell", "done", 1],
  ]);
  expect(state.spent).toMatchObject({ model_calls: 2, tool_calls: 4 });
  expect(state.status).toBe("completed");
});

it("waits while a question is open and goes on when it is answered", () => {
  const asked = fold(TWO_CITIES.slice(0, 16));
  expect([asked.status, asked.waits[0]?.approval, asked.steps.get("tell")?.status]).toEqual([
    "waiting",
    "apr_1",
    "waiting",
  ]);
  const told = fold(TWO_CITIES.slice(0, 17));
  expect([told.status, told.waits.length, told.steps.get("tell")?.status]).toEqual(["running", 0, "running"]);
});

it("follows what is written", () => {
  const intent = (upTo: number) => [...fold(TWO_CITIES.slice(0, upTo)).intents.values()][0]?.status;
  expect([intent(18), intent(19), intent(20)]).toEqual(["declared", "sending", "done"]);
});

it("has the newest plan with its agents", () => {
  const planned = TWO_CITIES.slice(0, 5);
  const members = [
    { step: "tell", goal: "", name: "teller", description: "", agent: { prompt: "You tell.", tools: [] } },
  ];
  const staffed = fold([
    ...planned,
    { seq: 6, key: "staff/1", at: planned[0]!.at, kind: "staffed", data: { version: 1, members } },
  ]);
  expect(planOf(staffed)?.steps.map((step) => step.agent)).toEqual([undefined, undefined, "teller"]);
});

it("knows which agent something was done for", () => {
  const forge = (seq: number, key: string, step?: string) => ({
    seq,
    key,
    at: "",
    kind: "forged" as const,
    data: { agent: key, step, tools: [], prompt: "", max_iterations: 1 },
  });
  const state = fold([forge(1, "agent/1/forged"), forge(2, "step/tell/1/way/1/forged", "tell")]);
  const asked = (key: string) => agentOf(state, { ...TWO_CITIES[3]!, key })?.key;
  expect([asked("agent/1/turn/2"), asked("step/tell/1/way/1/turn/1"), asked("plan/1/model")]).toEqual([
    "agent/1/forged",
    "step/tell/1/way/1/forged",
    undefined,
  ]);
  expect(state.leftToAgent).toBe(true);
});
