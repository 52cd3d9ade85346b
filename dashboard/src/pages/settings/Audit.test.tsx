import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { signedIn } from "../../testing/signedIn";
import Settings from "./Settings";

const ENTRY = { seq: 7, at: "2026-11-15T12:00:00Z", who: "ada", what: "keys.create", on: { key: "3f9c" }, outcome: "done", hash: "sha256:abcdef0123" };

it("says loudly when the chain is broken", async () => {
  serve({ ...signedIn(), "GET /v1/audit": { entries: [ENTRY], chain: { holds: false, entries: 7 } } });
  draw(<Settings />, "/settings/audit");
  expect((await screen.findByRole("alert")).textContent).toContain("The chain is broken.");
  expect(screen.getByRole("row").textContent).toContain("keys.create key 3f9c");
});
