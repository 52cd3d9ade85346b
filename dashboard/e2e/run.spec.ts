import { expect, test } from "./world";

let run: string;

test.beforeAll(async ({ world }) => {
  run = await world.ask("Compare Oslo and Bergen, and put the figures on record.", {
    strategy: "task_graph",
    orchestration: "standard",
  });
});

test("a run shows its plan, its bars, its events and what is inside them", async ({ signedIn: page }) => {
  await page.goto(`/runs/${run}`);
  await page
    .getByRole("group", { name: /tell: done/ })
    .or(page.locator('[data-id="tell"]'))
    .first()
    .click();
  const inspector = page.getByLabel("Inspector");
  await expect(inspector.getByText("What its agent was told")).toBeVisible();
  await expect(page).toHaveURL(/step=tell/);
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page
    .getByRole("button", { name: /^city\.population, done/ })
    .first()
    .click();
  await expect(inspector.getByText("in the words of the request")).toBeVisible();
  await page.getByRole("tab", { name: /Events/ }).click();
  await page.keyboard.press("j");
  await expect(inspector.getByRole("heading")).not.toHaveCount(0);
  await page.getByRole("tab", { name: /Versions/ }).click();
  await expect(page.getByLabel("The plan, goal")).toContainText("name the source");
});

test("a run is replayed, forked and compared with its fork", async ({ signedIn: page }) => {
  await page.goto(`/runs/${run}?tab=events&event=5`);
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(page.getByText(/the same again/)).toBeVisible();
  await page.getByRole("button", { name: "Fork at event 5" }).click();
  await expect(page.getByText("event 5", { exact: true })).toBeVisible();
  await expect(page.getByText("completed").first()).toBeVisible({ timeout: 20_000 });
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("dialog").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Compare runs" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Steps of both runs" })).toContainText("bergen");
});

test("a run is exported whole", async ({ signedIn: page }) => {
  await page.goto(`/runs/${run}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toBe(`${run}.json`);
});

test("a run that waits is cancelled", async ({ signedIn: page, world }) => {
  const waiting = await world.ask("Remind me to buy milk tomorrow at 9");
  await page.goto(`/runs/${waiting}`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await expect(page.getByText("cancelled").first()).toBeVisible();
});
