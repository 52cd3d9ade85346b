import { expect, test } from "./world";

test("a request is explained while it is typed, and the address keeps it", async ({ signedIn: page }) => {
  await page.goto("/routes");
  await page.getByRole("textbox", { name: "A request" }).fill("set a timer for ten minutes");
  await expect(page.getByText("It is answered at once, without a plan.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Nearest examples" }).getByRole("listitem")).toHaveCount(5);
  await expect(page).toHaveURL(/text=set\+a\+timer/);
  await page.reload();
  await expect(page.getByText("It is answered at once, without a plan.")).toBeVisible();
});

test("reliability and risk are plotted for all roles and for one", async ({ signedIn: page }) => {
  await page.goto("/routes/quality");
  await expect(page.locator("canvas")).toHaveCount(2);
  await page.getByLabel("Whose answers").selectOption("conversation");
  await expect(page).toHaveURL(/role=conversation/);
  await expect(page.getByText("Labelled requests")).toBeVisible();
});

test("a route is corrected, heeded from then on, and the correction taken back", async ({ signedIn: page, world }) => {
  const text = "Wake the kids at seven with a song";
  const run = await world.ask(text, { wait: 5 });
  await page.goto(`/routes/corrections?run=${run}`);
  await page.getByLabel("Where it should have gone").selectOption("calendar");
  await page.getByRole("button", { name: "Correct" }).click();
  const row = page.getByRole("table", { name: "Corrections" }).getByRole("row").filter({ hasText: text });
  await expect(row).toContainText("calendar");
  expect((await world.api<{ role: string }>("POST", "/v1/routes/explain", { text })).role).toBe("calendar");
  await row.getByRole("button", { name: "Undo" }).click();
  await expect(row).toHaveCount(0);
});

test("every role says what is promised about it", async ({ signedIn: page }) => {
  await page.goto("/routes/roles");
  await expect(page.getByRole("row").filter({ hasText: "Timers, alarms" }).getByText("promised")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("weather");
  await expect(page.getByRole("table", { name: "Roles" }).getByRole("row")).toHaveCount(2);
});
