import { expect, it } from "vitest";
import type { Key } from "../../api/access";
import { about, byUse, keyStatus, written } from "./words";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const key = (id: string, more: Partial<Key> = {}): Key => ({ id, role: "runner", evidence: false, created_at: "2026-11-01T00:00:00Z", ...more });

it("tells keys that work from those that do not", () => {
  expect(keyStatus(key("a"), NOW)).toBe("active");
  expect(keyStatus(key("a", { expires_at: "2026-11-15T11:00:00Z" }), NOW)).toBe("expired");
  expect(keyStatus(key("a", { revoked_at: "2026-11-02T00:00:00Z" }), NOW)).toBe("revoked");
});

it("lists keys that work first", () => {
  const keys = [key("gone", { revoked_at: "x", created_at: "9" }), key("old"), key("new", { created_at: "2026-11-14T00:00:00Z" })];
  expect(byUse(keys, NOW).map((one) => one.id)).toEqual(["new", "old", "gone"]);
});

it("writes values as they are written", () => {
  expect(["7d", 60, true, ["a"]].map(written)).toEqual(["7d", "60", "true", '["a"]']);
});

it("says what an entry is about, however it is written", () => {
  expect([undefined, "3f9c", { name: "ci", role: "viewer" }].map(about)).toEqual(["", "3f9c", "name ci, role viewer"]);
});
