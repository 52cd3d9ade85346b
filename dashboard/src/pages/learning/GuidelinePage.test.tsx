import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { signedIn } from "../../testing/signedIn";
import { GuidelinePage } from "./GuidelinePage";

const version = (number: string, texts: string[], parent?: string) => ({
  agent: "clerk", version: number, hash: "sha256:1", parent, because: "it helps", by: { cycle: 3 }, at: "2026-11-15T12:00:00Z",
  points: texts.map((text) => ({ source: "pat-1", text })),
});

it("shows what going back would change before it goes back", async () => {
  const versions = [{ told: true, version: version("1.1.0", ["One.", "Two."], "1.0.0") }, { told: false, version: version("1.0.0", ["One."]) }];
  const asked = serve({ ...signedIn(), "GET /v1/guidelines/clerk/versions": { versions }, "POST /v1/guidelines/clerk/rollback": versions[1]!.version });
  draw(<GuidelinePage agent="clerk" />);
  await userEvent.click(await screen.findByRole("button", { name: "Roll back to this" }));
  const sure = within(screen.getByRole("dialog"));
  expect(sure.getByLabelText("What changed").textContent).toContain("removed: Two.");
  await userEvent.click(sure.getByRole("button", { name: "Roll back" }));
  await waitFor(() => expect(asked.find((one) => one.method === "POST")?.body).toEqual({ to: "1.0.0" }));
});
