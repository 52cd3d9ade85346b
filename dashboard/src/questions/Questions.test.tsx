import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw, serve } from "../testing/render";
import { Questions } from "./Questions";

const SESSION = {
  signed_in: true,
  person: { name: "ada", role: "approver" },
  csrf: "x",
  has_password: true,
  version: "0.1.0",
};
const APPROVAL = {
  id: "apr_1",
  kind: "plan",
  status: "pending",
  risk: "high",
  run_id: "run_1",
  hash: "sha256:1",
  question: "May it?",
  summary: "adds a line",
  why: "it writes",
  agents: [],
  diff: [],
  findings: [],
  asked_at: "2026-11-15T12:00:00Z",
  effects: [{ words: "adds a line to the notes", reversible: false, external: false }],
};

it("approves what was seen", async () => {
  const asked = serve({
    "GET /v1/session": SESSION,
    "GET /v1/approvals/apr_1": APPROVAL,
    "POST /v1/approvals/apr_1/decide": APPROVAL,
  });
  const wait = {
    name: "plan/1/approval",
    need: { need: "approval" as const, question: "May it?", hash: "sha256:1" },
    approval: "apr_1",
    seq: 3,
  };
  draw(<Questions run="run_1" waits={[wait]} />);
  expect(await screen.findByText(/cannot be taken back/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  expect(asked.find((one) => one.method === "POST")?.body).toEqual({ decision: "approve", hash: "sha256:1" });
});

it("answers a question in words", async () => {
  const asked = serve({ "GET /v1/session": SESSION, "POST /v1/runs/run_1/answer": {} });
  draw(
    <Questions
      run="run_1"
      waits={[{ name: "ask/1", need: { need: "answer", question: "Morning or evening?" }, seq: 3 }]}
    />,
  );
  await screen.findByText("Morning or evening?");
  await userEvent.type(await screen.findByLabelText("Your answer"), "evening{Enter}");
  expect(asked.find((one) => one.method === "POST")?.body).toEqual({ name: "ask/1", answer: "evening" });
});
