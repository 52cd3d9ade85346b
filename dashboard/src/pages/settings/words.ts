// What roles may do, and how a key stands, in words.
import type { Key } from "../../api/access";
import type { RoleName } from "../../api/session";

export const MAY: Record<RoleName, string> = {
  viewer: "look at everything",
  runner: "look, ask, cancel, rate and send traces",
  approver: "do all that, and decide approvals",
  editor: "do all that, and change agents, guidelines, experiments and routes",
  admin: "do everything, and say who else may do what",
};

export function keyStatus(key: Key, now = Date.now()): "active" | "revoked" | "expired" {
  if (key.revoked_at) return "revoked";
  return key.expires_at && Date.parse(key.expires_at) <= now ? "expired" : "active";
}

/** Keys that work first, newest of each first. */
export function byUse(keys: Key[], now = Date.now()): Key[] {
  const rank = (key: Key) => (keyStatus(key, now) === "active" ? 0 : 1);
  return keys.toSorted((a, b) => rank(a) - rank(b) || b.created_at.localeCompare(a.created_at));
}

/** What an entry of the audit trail is about: `{ name: "ci" }` as `name ci`. */
export function about(on: unknown): string {
  if (on === undefined || on === null) return "";
  if (typeof on !== "object") return String(on);
  return Object.entries(on).map(([name, value]) => `${name} ${written(value)}`).join(", ");
}

/** A setting's value on one line. */
export function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
