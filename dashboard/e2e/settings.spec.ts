import { expect, test } from "./world";

test("a key is made, works, is revoked and works no longer", async ({ signedIn: page, world }) => {
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("ci");
  await page.getByLabel("Role").selectOption("viewer");
  await page.getByRole("button", { name: "Make the key" }).click();
  const secret = await page.getByRole("textbox", { name: "The key" }).inputValue();
  expect(secret).toMatch(/^aw_/);
  const status = async () => (await fetch(`${world.url}/v1/runs`, { headers: { Authorization: `Bearer ${secret}` } })).status;
  expect(await status()).toBe(200);
  await page.getByRole("button", { name: "I have it" }).click();
  const row = page.getByRole("table", { name: "Keys" }).getByRole("row").filter({ hasText: "ci" });
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(row.getByText("revoked")).toBeVisible();
  expect(await status()).toBe(401);
});

test("somebody is invited, comes in, and may do what their role may", async ({ signedIn: page, world, browser }) => {
  await page.goto("/settings/people");
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByLabel("Name").fill("Grace");
  await page.getByLabel("Role").selectOption("viewer");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await page.getByRole("textbox", { name: "The invitation" }).inputValue();
  await page.getByRole("button", { name: "I have it" }).click();

  const context = await browser.newContext({ baseURL: world.url });
  const guest = await context.newPage();
  await guest.goto(link);
  await guest.getByLabel("Password").fill("correct horse battery");
  await guest.getByRole("button", { name: "Keep this password" }).click();
  await guest.goto("/learning");
  const learn = guest.getByRole("button", { name: "Learn now" });
  await expect(learn).toBeDisabled();
  await expect(learn).toHaveAttribute("title", "Editors and admins can do this.");
  await guest.goto("/settings/keys");
  await expect(guest.getByText("This is not yours to see or do.")).toBeVisible();
  await context.close();

  await page.reload();
  const row = page.getByRole("table", { name: "People" }).getByRole("row").filter({ hasText: "Grace" });
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(row).toHaveCount(0);
});

test("what was done by whom is on record, and the chain holds", async ({ signedIn: page, world }) => {
  await world.api("POST", "/v1/keys", { name: "watched", role: "viewer" });
  await page.goto("/settings/audit");
  await expect(page.getByText(/^The chain holds/)).toBeVisible();
  await expect(page.getByRole("table", { name: "Audit trail" }).getByRole("row").filter({ hasText: "/v1/keys" }).first()).toBeVisible();
});

test("settings say where they come from", async ({ signedIn: page }) => {
  await page.goto("/settings/configuration");
  await page.getByLabel("Only what is not the default").check();
  await expect(page.getByRole("row").filter({ hasText: "models.default" })).toContainText("agentwright.toml");
});

test("what is remembered can be found and forgotten", async ({ signedIn: page, world }) => {
  await world.ask("Remember that Anna's birthday is on 3 May");
  await page.goto("/settings/memories");
  const row = page.getByRole("row").filter({ hasText: "birthday" });
  await row.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await expect(row).toHaveCount(0);
});

test("the look is chosen and stays", async ({ signedIn: page }) => {
  await page.goto("/settings");
  await page.getByLabel("Dark").check();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
