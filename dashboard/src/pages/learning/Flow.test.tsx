import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { signedIn } from "../../testing/signedIn";
import Learning from "./Learning";

const evidence = {
  with_success: 9, with_failure: 1, without_success: 5, without_failure: 5, effect: 0.4, interval: [0.1, 0.6], confidence: 0.1, p: 0.01, q: 0.02,
  users: 3, sources: {}, examples: [[], []],
};
const pattern = { id: "pat-1", mark: { mark: "calls", tool: "a" }, evidence, words: "`a` helps", advice: "Use `a`." };
const lesson = { id: "lsn_1", agent: "clerk", text: "Call `a`.", pattern, status: "canary", because: "b", made_at: "2026-11-15T12:00:00Z", changed_at: "2026-11-15T12:00:00Z" };
const trial = {
  id: "exp_1", agent: "clerk", lesson: "lsn_1", direction: "add", share: 0.5, alpha: 0.01, minimum: 0.02, status: "canary", because: "c",
  tally: { control: 10, control_successes: 5, candidate: 10, candidate_successes: 8 }, evidence_for: 2, evidence_against: 0.5, started_at: "2026-11-15T12:00:00Z",
};
const alert = { agent: "clerk", before: 0.9, now: 0.5, evidence: 1000, words: "`clerk` fell from 90 to 50 percent" };
const last = { cycle: 2, started_at: "2026-11-15T12:00:00Z", ended_at: "2026-11-15T12:00:01Z", seen: {}, traces: 20, successes: 14, found: {}, changed: [], not_changed: [], alerts: [alert] };

it("shows a lesson from what was seen to where it stands, and what got worse above it", async () => {
  serve({
    ...signedIn(),
    "GET /v1/learning": { cycles: 2, last, traces: 20, successes: 14, lessons: { canary: 1 }, experiments: [trial], guidelines: [], auto_update: false },
    "GET /v1/lessons": { lessons: [lesson] },
    "GET /v1/patterns": { patterns: [pattern], found: 1 },
    "GET /v1/experiments": { experiments: [trial] },
  });
  draw(<Learning />, "/learning");
  const flow = await screen.findByRole("article", { name: "Call `a`." });
  for (const words of ["Use a.", "+40 points", "90% with it, 50% without", "Call a.", "80% against 50%", "canary"]) expect(flow.textContent).toContain(words);
  expect(screen.getByRole("alert").textContent).toContain("clerk fell from 90 to 50 percent");
});
