// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isKnown, KINDS, type Event } from "./events";
import { say, statusOf } from "./say";
import { fold } from "./state";
import { timeline } from "./timeline";

const FOLDER = new URL("../../../crates/domain/tests/golden/v0.1/", import.meta.url);
const golden = readdirSync(FOLDER).map(
  (name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as Event] as const,
);

it("knows every kind of event that a released version wrote, and no other", () => {
  const kinds = new Set(golden.map(([, event]) => event.kind));
  expect([...kinds].filter((kind) => !isKnown(kind))).toEqual([]);
  expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
});

it.each(golden)("says %s in a sentence", (_, event) => {
  expect(say(event)).toBeTruthy();
  expect(say(event)).not.toMatch(/undefined|\[object/);
  statusOf(event);
});

it("folds all of them without stumbling", () => {
  const events = golden.map(([, event], at) => ({ ...event, seq: at + 1 }));
  expect(fold(events).plans.length).toBeGreaterThan(0);
  expect(timeline(events, Date.parse("2026-01-01T00:00:00Z")).rows.length).toBeGreaterThan(0);
});
