import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { signedIn } from "../../testing/signedIn";
import Intents from "./Intents";

const intent = (key: string, status: string) => ({ run: "run_1", key, tool: "mail.send", arguments: {}, status, attempts: 1, updated_at: "2026-11-15T12:00:00Z" });

it("says first, and loudly, what nobody can vouch for, however old it is", async () => {
  serve({
    ...signedIn(),
    "GET /v1/intents": (url: URL) => ({ intents: url.searchParams.get("status") === "unknown" ? [intent("old", "unknown")] : [intent("new", "done")] }),
  });
  draw(<Intents />, "/intents");
  expect((await screen.findByRole("alert")).textContent).toContain("Nobody can tell whether 1 write happened.");
  const titles = (await screen.findAllByRole("heading", { level: 2 })).map((one) => one.textContent);
  expect(titles).toEqual(["Unknown: 1", "Done: 1"]);
});
