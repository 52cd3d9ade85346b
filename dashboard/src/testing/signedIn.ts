// Who is signed in, in tests.
import type { RoleName } from "../api/session";

export function signedIn(role: RoleName = "admin") {
  return { "GET /v1/session": { signed_in: true, person: { name: "ada", role }, csrf: "x", has_password: true, version: "0.1.0" } };
}

export function refusal(status: number, code: string, message: string, more: object = {}) {
  return () => new Response(JSON.stringify({ error: { message, type: "conflict_error", code, param: null, ...more } }), { status });
}
