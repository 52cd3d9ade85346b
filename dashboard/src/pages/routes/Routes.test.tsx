import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { refusal, signedIn } from "../../testing/signedIn";
import Routes from "./Routes";

const EXPLAINED = {
  decision: "fast", role: "timer", confidence: 0.99, parts: [{ text: "set a timer", role: "timer", confidence: 0.99 }],
  signals: [{ name: "sentence", value: 3, says: "every word is accounted for" }], certificate: { threshold: 0.95, alpha: 0.01, delta: 0.05, samples: 151 },
  nearest: [{ text: "start a timer", role: "timer", likeness: 0.8 }], labels: [["own:timer", 0.9]],
};
const ROLES = { roles: [{ name: "timer", when_to_use: "Timers.", examples: [], shipped: true, tools: [] }] };

it("explains a request while it is typed, and carries nothing out", async () => {
  const asked = serve({ ...signedIn(), "POST /v1/routes/explain": EXPLAINED });
  draw(<Routes />, "/routes");
  await userEvent.type(screen.getByLabelText("A request"), "set a timer");
  expect(await screen.findByText("It is answered at once, without a plan.")).toBeTruthy();
  expect(screen.getByText("start a timer")).toBeTruthy();
  expect(asked.filter((one) => one.method === "POST").every((one) => one.url.pathname === "/v1/routes/explain")).toBe(true);
});

it("corrects a recent run, says why it cannot, and takes corrections back", async () => {
  const correction = { run: "run_1", text: "set a timer", was: "calendar", role: "timer", by: "ada", at: "2026-11-15T12:00:00Z" };
  const asked = serve({
    ...signedIn("editor"),
    "GET /v1/runs": { runs: [{ run: "run_2", text: "wake me" }], total: 1 },
    "GET /v1/routes/roles": ROLES,
    "GET /v1/routes/corrections": { corrections: [correction] },
    "POST /v1/routes/corrections": refusal(409, "as_it_was", "it went there"),
    "DELETE /v1/routes/corrections/run_1": () => new Response(null, { status: 204 }),
  });
  draw(<Routes />, "/routes/corrections");
  await screen.findByRole("option", { name: "wake me" });
  await userEvent.selectOptions(screen.getByLabelText("The run"), "run_2");
  await userEvent.selectOptions(screen.getByLabelText("Where it should have gone"), "timer");
  await userEvent.click(screen.getByRole("button", { name: "Correct" }));
  expect((await screen.findByRole("alert")).textContent).toBe("it went there");
  expect(asked.find((one) => one.method === "POST")?.body).toEqual({ run: "run_2", role: "timer" });
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(asked.some((one) => one.method === "DELETE")).toBe(true));
});
