import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { TWO_CITIES } from "../../ledger/make";
import { draw, serve } from "../../testing/render";
import Compare from "./Compare";

const run = (id: string, answer: string) => ({
  run: {
    run: id,
    status: "completed",
    text: "Compare",
    answer,
    flags: {},
    spent: { input_tokens: 1, output_tokens: 1, cost: 0.1, model_calls: 1, tool_calls: 1 },
    created_at: "2026-11-15T12:00:00Z",
    updated_at: "2026-11-15T12:00:01Z",
  },
  view: {},
  intents: [],
  waits: [],
  approvals: [],
});
const stream =
  (events = TWO_CITIES) =>
  () =>
    new Response(events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join(""));

it("shows two runs side by side and where they part", async () => {
  serve({
    "GET /v1/runs/run_a": run("run_a", "Oslo is larger."),
    "GET /v1/runs/run_b": run("run_b", "Bergen is larger."),
    "GET /v1/runs/run_a/events": stream(),
    "GET /v1/runs/run_b/events": stream(
      TWO_CITIES.map((event) =>
        event.kind === "routed" ? { ...event, data: { ...event.data, why: "a person said so" } } : event,
      ),
    ),
  });
  draw(<Compare />, "/runs/compare?a=run_a&b=run_b");
  expect((await screen.findByText(/1 event from the beginning/)).textContent).toContain("they part at event 2");
  expect(screen.getByLabelText("Answers", { selector: "pre" }).textContent).toContain("added: Bergen is larger.");
  expect(screen.getByRole("table", { name: "Steps of both runs" }).textContent).toContain("bergen");
});

it("says that two runs are needed", () => {
  serve({});
  draw(<Compare />, "/runs/compare?a=run_a");
  expect(screen.getByText("Two runs are needed.")).toBeTruthy();
});
