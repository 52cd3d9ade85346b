import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { filterOf, localMinute } from "./filter";
import Runs from "./Runs";

const run = (nth: number, status = "completed") => ({
  run: `run_${nth}`,
  status,
  text: `request ${nth}`,
  flags: { replanned: nth === 1, in_doubt: false, resumed: false },
  spent: { input_tokens: 0, output_tokens: 0, cost: 0.01, model_calls: 0, tool_calls: 0 },
  events: 1,
  created_at: "2026-11-15T12:00:00Z",
  updated_at: "2026-11-15T12:00:01Z",
});
const bars = Array.from({ length: 4 }, (_, at) => ({
  since: `2026-11-15T1${at}:00:00Z`,
  until: `2026-11-15T1${at + 1}:00:00Z`,
  runs: at,
  failed: 0,
  cost: 0,
}));

it("asks for the next page when the end comes into sight", async () => {
  const first = Array.from({ length: 100 }, (_, at) => run(at));
  const asked = serve({
    "GET /v1/runs": (url: URL) =>
      url.searchParams.get("cursor")
        ? { runs: [run(100)], total: 101 }
        : { runs: first.slice(0, 15), total: 101, next: "more" },
    "GET /v1/runs/histogram": { since: "", until: "", bars },
  });
  draw(<Runs />, "/runs");
  expect(await screen.findByText("request 1")).toBeTruthy();
  expect(await screen.findByText("request 100")).toBeTruthy();
  expect(
    asked.filter((one) => one.url.pathname === "/v1/runs").map((one) => one.url.searchParams.get("cursor")),
  ).toEqual([null, "more"]);
});

it("filters by what the address says and what is chosen", async () => {
  const asked = serve({
    "GET /v1/runs": { runs: [], total: 0 },
    "GET /v1/runs/histogram": { since: "", until: "", bars },
  });
  draw(<Runs />, "/runs?in_doubt=true");
  expect(await screen.findByText("No run is like that.")).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Status"), "failed");
  await waitFor(() => expect(asked.at(-1)?.url.search).toContain("status=failed"));
  expect(asked.at(-1)?.url.search).toContain("in_doubt=true");
});

it("shows only the stretch that is chosen on the strip, by key too", async () => {
  const asked = serve({
    "GET /v1/runs": { runs: [run(1)], total: 1 },
    "GET /v1/runs/histogram": { since: "", until: "", bars },
  });
  draw(<Runs />, "/runs");
  const strip = await screen.findByRole("slider", { name: "Runs over time" });
  await waitFor(() => expect(strip.children).toHaveLength(4));
  fireEvent.keyDown(strip, { key: "ArrowRight" });
  fireEvent.keyDown(strip, { key: "ArrowRight" });
  expect(strip.getAttribute("aria-valuetext")).toContain("1 run");
  fireEvent.keyDown(strip, { key: "Enter" });
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("since")).toBe("2026-11-15T11:00:00Z"));
});

it("reads filters from the address and says moments as inputs want them", () => {
  const address: Record<string, string> = { status: "failed", in_doubt: "true", replanned: "no" };
  expect(filterOf((name) => address[name])).toEqual({ status: "failed", in_doubt: true });
  expect(localMinute(undefined)).toBe("");
  expect(localMinute("2026-11-15T12:34:56Z")).toMatch(/^2026-11-1\dT\d\d:34$/);
});
