import { afterEach, expect, it, vi } from "vitest";
import { address, get, onSignedOut, post, Problem, setCsrf } from "./client";

const answer = (status: number, body: unknown) => vi.fn(async () => new Response(JSON.stringify(body), { status }));

afterEach(() => {
  vi.unstubAllGlobals();
  setCsrf(undefined);
});

it("leaves out what is not asked for", () => {
  expect(address("/v1/runs", { status: "failed", text: "", role: undefined, limit: 5 })).toBe("/v1/runs?status=failed&limit=5");
});

it("sends the token of the session with everything that changes something", async () => {
  const fetch = answer(200, {});
  vi.stubGlobal("fetch", fetch);
  setCsrf("secret");
  await post("/v1/runs", { text: "x" });
  const [, options] = fetch.mock.calls[0] as unknown as [string, RequestInit];
  expect(options.headers).toMatchObject({ "X-CSRF-Token": "secret", "Content-Type": "application/json" });
});

it("tells in the server's words what was refused", async () => {
  const error = { message: "no such run", type: "not_found_error", code: "not_found", param: null, approval: { id: "apr_1" } };
  vi.stubGlobal("fetch", answer(404, { error }));
  const problem = await get("/v1/runs/x").catch((caught: unknown) => caught);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: 404, message: "no such run", code: "not_found", more: { approval: { id: "apr_1" } } });
});

it("says who is not signed in any more", async () => {
  const out = vi.fn();
  onSignedOut(out);
  vi.stubGlobal("fetch", answer(401, { error: { message: "no", type: "authentication_error", code: "invalid_key", param: null } }));
  await expect(get("/v1/runs")).rejects.toThrow("no");
  expect(out).toHaveBeenCalledOnce();
});

it("says that a server is away", async () => {
  vi.stubGlobal("fetch", vi.fn(async () => Promise.reject(new TypeError("failed"))));
  await expect(get("/v1/runs")).rejects.toMatchObject({ status: 0, code: "away" });
});
