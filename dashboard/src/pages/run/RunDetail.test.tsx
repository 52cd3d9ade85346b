import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { Route } from "wouter";
import { listen } from "../../keys/keys";
import { TWO_CITIES } from "../../ledger/make";
import { draw, serve, type Answers } from "../../testing/render";
import RunDetail from "./RunDetail";

vi.mock("./PlanGraph", () => ({ default: () => <p>the graph</p> }));

const SESSION = {
  signed_in: true,
  person: { name: "ada", role: "admin" },
  csrf: "x",
  has_password: true,
  version: "0.1.0",
};
const RUN = {
  run: "run_1",
  status: "completed",
  text: "Compare Oslo and Bergen",
  answer: "Oslo is larger.",
  strategy: "task_graph",
  quality: 0.86,
  flags: { replanned: true, in_doubt: false, resumed: false },
  events: 23,
  spent: { input_tokens: 20, output_tokens: 10, cost: 0.02, model_calls: 2, tool_calls: 4 },
  created_at: "2026-11-15T12:00:00Z",
  updated_at: "2026-11-15T13:00:00Z",
};
const page = (path = "/runs/run_1", more: Answers = {}) => {
  const asked = serve({
    "GET /v1/session": SESSION,
    "GET /v1/runs/run_1": { run: RUN, view: {}, intents: [], waits: [], approvals: [] },
    "GET /v1/runs/run_1/events": () =>
      new Response(TWO_CITIES.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join("")),
    "GET /v1/runs": { runs: [], total: 0 },
    ...more,
  });
  return { asked, ...draw(<Route path="/runs/:run" component={RunDetail} />, path) };
};

it("says what was asked, why it went this way and what came of it", async () => {
  page();
  expect(await screen.findByRole("heading", { name: "Compare Oslo and Bergen" })).toBeTruthy();
  expect(await screen.findByText(/it wants several things/)).toBeTruthy();
  expect(screen.getByRole("region", { name: "Answer" }).textContent).toContain("Oslo is larger.");
  expect(screen.getByText("$0.02")).toBeTruthy();
});

it("opens the event of the address and says where its arguments come from", async () => {
  page("/runs/run_1?tab=events&event=8");
  const inspector = within(screen.queryByLabelText("Inspector") ?? (await screen.findByLabelText("Inspector")));
  expect(await inspector.findByText("in the words of the request")).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Fork at event 8" })).toBeTruthy();
});

it("opens a step and goes from it to what happened in it", async () => {
  page("/runs/run_1?step=bergen");
  expect(await screen.findByText("What happened in it")).toBeTruthy();
  const inspector = within(screen.getByLabelText("Inspector"));
  expect(inspector.getByText("Attempts").nextSibling?.textContent).toBe("2");
  await userEvent.click(inspector.getAllByRole("button", { name: /tool called/ })[0]!);
  expect(await inspector.findByText("What went wrong")).toBeTruthy();
});

it("moves through events with j and k", async () => {
  const stop = listen();
  page();
  await screen.findByText("the graph");
  await waitFor(() => expect(screen.getByRole("tab", { name: /Events/ }).textContent).toContain("23"));
  fireEvent.keyDown(document.body, { key: "j" });
  fireEvent.keyDown(document.body, { key: "j" });
  expect(await within(screen.getByLabelText("Inspector")).findByRole("heading", { name: "routed" })).toBeTruthy();
  stop();
});

it("forks where one looks and goes to the fork", async () => {
  const { asked, history } = page("/runs/run_1?event=5", { "POST /v1/runs/run_1/fork": { ...RUN, run: "run_2" } });
  await userEvent.click(await screen.findByRole("button", { name: "Fork at event 5" }));
  await waitFor(() => expect(history?.at(-1)).toBe("/runs/run_2"));
  expect(asked.find((one) => one.method === "POST")?.body).toEqual({ at: 5 });
});

it("replays and says whether it came out the same", async () => {
  page("/runs/run_1", {
    "POST /v1/runs/run_1/replay": { run: "run_1", same: false, events: 23, seq: 9, detail: "another answer" },
  });
  await waitFor(() => expect(screen.getByRole("button", { name: "Replay" }).hasAttribute("disabled")).toBe(false));
  await userEvent.click(screen.getByRole("button", { name: "Replay" }));
  expect(await screen.findByText("from event 9 on")).toBeTruthy();
});

it("says that there is no such run", async () => {
  serve({});
  draw(<Route path="/runs/:run" component={RunDetail} />, "/runs/run_9");
  expect(await screen.findByText("There is no such thing.")).toBeTruthy();
});
