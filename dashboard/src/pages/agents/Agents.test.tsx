import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { signedIn } from "../../testing/signedIn";
import Agents from "./Agents";

const version = (number: number, prompt: string) => ({
  name: "teller", version: number, hash: "h", current: number === 2, description: "Tells.", keywords: [], body: { kind: "agent", prompt, tools: ["a.b"] },
  lineage: number === 2 ? { by: "ada", from: ["teller", "h1"] } : { run: "run_1" }, created_at: "2026-11-15T12:00:00Z",
});
const ITEM = { ...version(2, "Be short."), active: true, versions: 2, record: { uses: 3, good: 2, bad: 0 } };

it("shows versions with what differs, and switches it off", async () => {
  const asked = serve({
    ...signedIn(),
    "GET /v1/agents": { items: [ITEM] },
    "GET /v1/agents/teller": ITEM,
    "GET /v1/agents/teller/versions": { versions: [version(2, "Be short."), version(1, "Be kind.")] },
    "GET /v1/agents/teller/uses": { uses: [] },
    "POST /v1/agents/teller/deactivate": { ...ITEM, active: false },
  });
  draw(<Agents />, "/agents/teller");
  const diff = await screen.findByLabelText("What changed");
  expect(diff.textContent).toContain("removed: Be kind.");
  expect(diff.textContent).toContain("added: Be short.");
  expect(screen.getByText("changed by ada")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Offer it no longer" }));
  await waitFor(() => expect(asked.some((one) => one.url.pathname.endsWith("/deactivate"))).toBe(true));
});
