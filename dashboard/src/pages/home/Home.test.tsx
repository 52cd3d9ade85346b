import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Route } from "wouter";
import { TWO_CITIES } from "../../ledger/make";
import { draw, serve } from "../../testing/render";
import Home from "./Home";

const SESSION = {
  signed_in: true,
  person: { name: "ada", role: "runner" },
  csrf: "x",
  has_password: true,
  version: "0.1.0",
};
const SPELL = { runs: 3, failed: 1, cost: 0.04, input_tokens: 100, output_tokens: 20 };
const OVERVIEW = {
  running: 1,
  waiting: 2,
  in_doubt: 0,
  approvals: 1,
  today: SPELL,
  month: SPELL,
  examples: ["What is 15 percent of 80?", "Set a timer for ten minutes"],
  models: false,
  learning: true,
};
const RUN = {
  run: "run_1",
  status: "running",
  text: "Compare Oslo and Bergen",
  flags: { replanned: false, in_doubt: false, resumed: false },
  spent: { input_tokens: 0, output_tokens: 0, cost: 0, model_calls: 0, tool_calls: 0 },
  events: 1,
  created_at: "2026-11-15T12:00:00Z",
  updated_at: "2026-11-15T12:00:00Z",
};
const stream = () =>
  new Response(TWO_CITIES.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join(""));

const page = (
  <>
    <Route path="/" component={Home} />
    <Route path="/chat/:session" component={Home} />
  </>
);

it("asks with an example, goes to the conversation and shows the answer when it comes", async () => {
  let runs: unknown[] = [];
  const asked = serve({
    "GET /v1/session": SESSION,
    "GET /v1/overview": OVERVIEW,
    "GET /v1/approvals": { approvals: [] },
    "GET /v1/runs": () => ({ runs, total: runs.length }),
    "POST /v1/runs": () => {
      runs = [RUN];
      return RUN;
    },
    "GET /v1/runs/run_1/events": stream,
  });
  const { history } = draw(page);
  expect(await screen.findByText("Nothing was asked yet.")).toBeTruthy();
  const example = await screen.findByRole("button", { name: /15 percent/ });
  await waitFor(() => expect(example.hasAttribute("disabled")).toBe(false));
  await userEvent.click(example);
  expect(await screen.findByText("Oslo is larger.")).toBeTruthy();
  const request = asked.find((one) => one.method === "POST")?.body as { text: string; session: string };
  expect(request.text).toBe("What is 15 percent of 80?");
  expect(history?.at(-1)).toBe(`/chat/${request.session}`);
  expect(screen.getByText("4 tool calls")).toBeTruthy();
});

it("lets nobody ask who may only look", async () => {
  serve({
    "GET /v1/session": { ...SESSION, person: { name: "vi", role: "viewer" } },
    "GET /v1/runs": { runs: [], total: 0 },
  });
  draw(page);
  expect((await screen.findByLabelText("Your request")).hasAttribute("disabled")).toBe(true);
});
