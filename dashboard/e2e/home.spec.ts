import { expect, test } from "./world";

test("an example is asked for and its answer comes", async ({ signedIn: page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /15 percent of 80/ }).click();
  await expect(page).toHaveURL(/\/chat\//);
  await expect(page.getByText("15 percent of 80 is 12.", { exact: true })).toBeVisible();
  await page.getByLabel("Your request").fill("What is 12 times 12?");
  await page.keyboard.press("Enter");
  await expect(page.getByText("12 times 12 is 144.", { exact: true })).toBeVisible();
});

test("a plan is watched while it is made, and asks before it writes", async ({ signedIn: page, world }) => {
  const run = await world.ask("Compare Oslo and Bergen, and put the figures on record.", {
    strategy: "cohort",
    orchestration: "standard",
    session: "cities",
    wait: 0,
  });
  await page.goto("/chat/cities");
  await expect(page.getByRole("status").filter({ hasText: "Think" })).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText(/^Oslo has about 718,000 people/).last()).toBeVisible();
  await page.getByRole("link", { name: "How it was done" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${run}`));
});

test("a question is answered where it is asked", async ({ signedIn: page }) => {
  await page.goto("/");
  await page.getByLabel("Your request").fill("Remind me to buy milk tomorrow at 9");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Do you mean 9:00 in the morning or 21:00?")).toBeVisible();
  await page.getByLabel("Your answer").fill("in the morning");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Do you mean 9:00 in the morning or 21:00?")).toBeHidden();
});
