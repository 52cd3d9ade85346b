import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import Welcome from "./Welcome";

const SESSION = { signed_in: true, person: { name: "admin", role: "admin" }, csrf: "x", has_password: false, version: "0.1.0" };

beforeEach(() => history.replaceState(null, "", "/welcome#aw-first"));

it("signs in with the token, forgets it, and lets a password be chosen", async () => {
  const asked = serve({
    "GET /v1/session": { signed_in: false, version: "0.1.0" },
    "POST /v1/session": SESSION,
    "PUT /v1/session/password": () => new Response(null, { status: 204 }),
  });
  const { history: places } = draw(<Welcome />, "/welcome");
  await userEvent.type(await screen.findByLabelText("Password"), "correct horse");
  expect(asked.find((one) => one.method === "POST")?.body).toEqual({ token: "aw-first" });
  expect(location.hash).toBe("");
  await userEvent.click(screen.getByRole("button", { name: "Keep this password" }));
  expect(asked.find((one) => one.method === "PUT")?.body).toEqual({ password: "correct horse" });
  expect(places?.at(-1)).toBe("/");
});
