import { expect, it } from "vitest";
import type { Intent } from "../../api/intents";
import { byDoubt, settledWords } from "./doubt";

const intent = (status: Intent["status"], settlement?: Intent["settlement"]) => ({ status, settlement, key: status }) as Intent;

it("puts first what nobody can vouch for", () => {
  expect(byDoubt([intent("done"), intent("failed"), intent("unknown"), intent("done")]).map(([status, group]) => [status, group.length])).toEqual([
    ["unknown", 1],
    ["failed", 1],
    ["done", 2],
  ]);
});

it("says what is known about how it ended", () => {
  expect(settledWords(intent("unknown", { outcome: "unknown", detail: "no answer came" }))).toBe("no answer came");
  expect(settledWords(intent("done", { outcome: "done", result: { said: "Told." } }))).toBe("Told.");
  expect(settledWords(intent("failed", { outcome: "failed", error: { kind: "failed", message: "no room" } }))).toBe("no room");
  expect(settledWords(intent("sending"))).toBe("");
});
