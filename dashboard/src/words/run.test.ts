import { expect, it } from "vitest";
import { isOver, standing } from "./run";

const now = Date.parse("2026-11-15T12:00:00Z");

it("tells what is due later from what waits to begin", () => {
  expect(standing({ status: "pending", created_at: "2026-11-15T13:00:00Z" }, now)).toBe("later");
  expect(standing({ status: "pending", created_at: "2026-11-15T11:59:59Z" }, now)).toBe("pending");
  expect(standing({ status: "running", created_at: "2026-11-15T13:00:00Z" }, now)).toBe("running");
});

it("knows when nothing more can happen", () => {
  expect(["pending", "waiting", "failed", "completed", "cancelled"].map(isOver)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});
