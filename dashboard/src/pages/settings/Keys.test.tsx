import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { refusal, signedIn } from "../../testing/signedIn";
import Settings from "./Settings";

const KEY = { id: "3f9c", name: "ci", role: "runner", evidence: false, created_at: "2026-11-15T12:00:00Z" };

it("makes a key, shows its secret once, and revokes it after asking", async () => {
  const asked = serve({
    ...signedIn(),
    "GET /v1/keys": { keys: [KEY] },
    "POST /v1/keys": { key: KEY, secret: "aw_3f9c_secret" },
    "DELETE /v1/keys/3f9c": { ...KEY, revoked_at: "2026-11-15T13:00:00Z" },
  });
  draw(<Settings />, "/settings/keys");
  await userEvent.click(await screen.findByRole("button", { name: "New key" }));
  await userEvent.type(screen.getByLabelText("Name"), "ci");
  await userEvent.click(screen.getByLabelText("runs"));
  await userEvent.click(screen.getByRole("button", { name: "Make the key" }));
  expect((await screen.findByLabelText<HTMLInputElement>("The key")).value).toBe("aw_3f9c_secret");
  expect(asked.find((one) => one.method === "POST")?.body).toEqual({ name: "ci", role: "runner", scopes: ["runs"], expires_in_days: 90 });
  await userEvent.click(screen.getByRole("button", { name: "I have it" }));
  expect(screen.queryByLabelText("The key")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(asked.some((one) => one.method === "DELETE")).toBe(true));
});

it("says who may see keys", async () => {
  serve({ ...signedIn("viewer"), "GET /v1/keys": refusal(403, "role_too_low", "this needs the role admin") });
  draw(<Settings />, "/settings/keys");
  expect((await screen.findByRole("alert")).textContent).toContain("this needs the role admin");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "New key" }).disabled).toBe(true);
});
