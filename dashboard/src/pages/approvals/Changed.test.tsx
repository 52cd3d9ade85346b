import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Proposal } from "../../api/proposal";
import { draw, serve } from "../../testing/render";
import { Changed } from "./Changed";

it("shows what differs from the version that was agreed to", async () => {
  const asked = serve({ "GET /v1/runs/run_1/plan": { run: "run_1", version: 1, versions: 2, because: null, plan: { goal: "tell", steps: [{ id: "a", tools: ["notes.list"] }] } } });
  const proposal = { run_id: "run_1", base_version: 1, plan: { goal: "tell", steps: [{ id: "a", tools: ["notes.add"] }] } };
  draw(<Changed proposal={proposal as unknown as Proposal} />);
  const diff = await screen.findByLabelText("What changed");
  expect(diff.textContent).toContain('removed:         "notes.list"');
  expect(diff.textContent).toContain('added:         "notes.add"');
  expect(asked[0]?.url.search).toBe("?version=1");
});
