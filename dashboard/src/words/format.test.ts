import { expect, it } from "vitest";
import { ago, count, duration, money, plural, shortId } from "./format";

it("says small sums exactly and large ones roundly", () => {
  expect([0, 0.00002, 0.0042, 0.5, 12].map(money)).toEqual(["$0", "$0.000020", "$0.0042", "$0.50", "$12.00"]);
});

it("says durations in the units that matter", () => {
  expect([0.2, 40, 1234, 45_600, 125_000, 7_500_000].map(duration)).toEqual([
    "<1 ms", "40 ms", "1.23 s", "45.6 s", "2 min 5 s", "2 h 5 min",
  ]);
});

it("says how long ago and how soon", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  expect(ago("2026-11-15T11:59:58Z", now)).toBe("just now");
  expect(ago("2026-11-15T11:45:00Z", now)).toBe("15 min ago");
  expect(ago("2026-11-18T12:00:00Z", now)).toBe("in 3 d");
});

it("shortens ids to what differs", () => {
  expect(shortId("run_01a1df5482f272808e9a7365c724211a")).toBe("run_c724211a");
  expect(shortId("planner")).toBe("planner");
});

it("counts", () => {
  expect([count(999), count(12_345), count(1_250_000), plural(1, "run"), plural(3, "run")]).toEqual([
    "999", "12.3k", "1.3M", "1 run", "3 runs",
  ]);
});
