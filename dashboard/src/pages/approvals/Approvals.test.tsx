import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { expect, it } from "vitest";
import { listen } from "../../keys/keys";
import { draw, serve } from "../../testing/render";
import { refusal, signedIn } from "../../testing/signedIn";
import Approvals from "./Approvals";

const STEP = { id: "note", goal: "note it", tool: "notes.add", arguments: { text: "milk" } };
const HIGH = {
  id: "apr_1", kind: "plan", status: "pending", risk: "high", run_id: "run_1", plan_version: 1, hash: "sha256:1", question: "May it?",
  summary: "note it: 1 step", why: "a rule asks", agents: [], plan: { goal: "note it", steps: [STEP] }, diff: [],
  effects: [{ step: "note", tool: "notes.add", words: "adds a line", reversible: false, external: false }],
  findings: [], asked_at: "2026-11-15T12:00:00Z",
};
const LOW = { ...HIGH, id: "apr_2", risk: "low", hash: "sha256:2", summary: "read it", plan: { goal: "read it", steps: [STEP] } };
const SERVER = {
  ...signedIn("approver"),
  "GET /v1/approvals": { approvals: [LOW, HIGH] },
  "GET /v1/approvals/apr_1": HIGH,
  "GET /v1/approvals/apr_2": LOW,
  "GET /v1/runs/run_1": { run: { run: "run_1", text: "Note milk" } },
  "GET /v1/tools": { tools: [] },
};

function Page() {
  useEffect(listen, []);
  return <Approvals />;
}

it("lists what has the most at stake first, and asks once more before what cannot be taken back", async () => {
  const asked = serve({ ...SERVER, "POST /v1/approvals/apr_1/decide": { ...HIGH, status: "decided" } });
  draw(<Page />, "/approvals/apr_1");
  const list = within(await screen.findByRole("list", { name: "Approvals" }));
  expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual([expect.stringContaining("high risk"), expect.stringContaining("low risk")]);
  await screen.findByText("Note milk");
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Approve/ }).disabled).toBe(false));
  await userEvent.keyboard("a");
  const sure = within(screen.getByRole("dialog"));
  expect(asked.some((one) => one.method === "POST")).toBe(false);
  await userEvent.click(sure.getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(asked.find((one) => one.method === "POST")?.body).toEqual({ decision: "approve", hash: "sha256:1" }));
});

it("says that the proposal has changed, and shows the new one", async () => {
  serve({ ...SERVER, "POST /v1/approvals/apr_2/decide": refusal(409, "stale", "it is another now", { approval: LOW }) });
  draw(<Page />, "/approvals/apr_2");
  await userEvent.click(await screen.findByRole("button", { name: /^Approve/ }));
  expect(await screen.findByText("This has changed since you looked.")).toBeTruthy();
});

it("says that it is too late", async () => {
  serve({ ...SERVER, "POST /v1/approvals/apr_2/decide": refusal(410, "expired", "too late", { approval: LOW }) });
  draw(<Page />, "/approvals/apr_2");
  await userEvent.click(await screen.findByRole("button", { name: /^Approve/ }));
  expect(await screen.findByText("It is too late.")).toBeTruthy();
});

it("shows beside a step why it cannot be carried out as it was changed", async () => {
  const findings = [{ code: "AW-PLAN-020", step: "note", says: "there is no tool `notes.ad`", weight: "fatal" }];
  const asked = serve({ ...SERVER, "POST /v1/approvals/apr_2/decide": refusal(400, "invalid_plan", "this cannot be carried out", { findings }) });
  draw(<Page />, "/approvals/apr_2?mode=edit");
  await userEvent.type(await screen.findByLabelText("Tool"), "{backspace}");
  await userEvent.click(screen.getByRole("button", { name: "Approve with changes" }));
  expect((await screen.findAllByText("AW-PLAN-020")).length).toBe(2);
  expect(asked.find((one) => one.method === "POST")?.body).toMatchObject({ decision: "edit", plan: { steps: [{ id: "note", tool: "notes.ad" }] } });
});

it("rejects with a reason", async () => {
  const asked = serve({ ...SERVER, "POST /v1/approvals/apr_2/decide": { ...LOW, status: "decided" } });
  draw(<Page />, "/approvals/apr_2?mode=reject");
  await userEvent.type(await screen.findByLabelText("Why not?"), "not today");
  await userEvent.click(screen.getByRole("button", { name: "Reject" }));
  await waitFor(() => expect(asked.find((one) => one.method === "POST")?.body).toEqual({ decision: "reject", hash: "sha256:2", reason: "not today" }));
});

it("lets those who may only look, look", async () => {
  serve({ ...SERVER, ...signedIn("viewer") });
  draw(<Page />, "/approvals/apr_2");
  const approve = await screen.findByRole<HTMLButtonElement>("button", { name: /^Approve/ });
  await waitFor(() => expect([approve.disabled, approve.title]).toEqual([true, "Approvers and above can do this."]));
});
