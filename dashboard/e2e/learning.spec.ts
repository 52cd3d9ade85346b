import { teach } from "./taught";
import { expect, test } from "./world";

test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ world }) => {
  test.setTimeout(120_000);
  await teach(world, "clerk");
});

test("what was seen is followed from pattern to proposed sentence", async ({ signedIn: page }) => {
  await page.goto("/learning");
  const flow = page.getByRole("article").first();
  await expect(flow).toContainText("proposed");
  await flow.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/learning\/patterns\/pat-/);
  await expect(page.getByText("What it rests on")).toBeVisible();
  await page.getByRole("link", { name: /^trc_/ }).first().click();
  await expect(page.getByText("What was done: 4 steps")).toBeVisible();
});

test("lessons are accepted: one is tried, others are told to all at once", async ({ signedIn: page }) => {
  await page.goto("/learning/lessons?status=proposed");
  await page.getByRole("table", { name: "Lessons" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Accept: try it out" }).click();
  await expect(page.getByText("Accepted.")).toBeVisible();
  await page.goto("/learning/lessons?status=proposed");
  await page.getByRole("table", { name: "Lessons" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Tell all at once" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Tell all" }).click();
  await expect(page.getByText("All are told from now on.")).toBeVisible();
});

test("a cycle is run, and what is tried can be stopped", async ({ signedIn: page }) => {
  await page.goto("/learning");
  await page.getByRole("button", { name: "Learn now" }).click();
  await expect(page.getByText(/^Cycle \d+:/)).toBeVisible();
  await page.getByRole("tab", { name: /^Experiments/ }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop it" }).click();
  await expect(page.getByRole("main").getByText("stopped", { exact: true })).toBeVisible();
});

test("a guideline is rolled back after what that changes was shown", async ({ signedIn: page, world }) => {
  type Told = { agent: string; version: string };
  const told = async () => (await world.api<{ guidelines: Told[] }>("GET", "/v1/guidelines")).guidelines.find((one) => one.agent === "clerk");
  const before = await told();
  const { lessons } = await world.api<{ lessons: { id: string; agent: string; status: string }[] }>("GET", "/v1/lessons");
  const other = lessons.find((one) => one.agent === before?.agent && one.status !== "active");
  if (other) await world.api("POST", `/v1/lessons/${other.id}/accept`, { now: true });
  await page.goto(`/learning/guidelines/${before?.agent}`);
  await expect(page.getByRole("button", { name: "Roll back to this" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Roll back to this" }).last().click();
  await expect(page.getByRole("dialog").getByLabel("What changed")).toContainText("removed");
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByText(/is told version .* again/)).toBeVisible();
  expect((await told())?.version).toBe(before?.version);
});
