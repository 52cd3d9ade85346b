import { expect, test } from "./world";

test.beforeAll(async ({ world }) => {
  for (const text of ["What is 12 times 12?", "What is 15 percent of 80?", "Set a timer for ten minutes"])
    await world.ask(text, { session: "listed" });
});

test("runs are found by words and opened by keys", async ({ signedIn: page }) => {
  await page.goto("/runs?session=listed");
  await expect(page.getByRole("row")).toHaveCount(4);
  await page.keyboard.press("/");
  await page.keyboard.type("percent");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page).toHaveURL(/text=percent/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "What is 15 percent of 80?" })).toBeVisible();
});

test("a stretch of time is chosen by dragging over the strip", async ({ signedIn: page }) => {
  await page.goto("/runs?session=listed");
  const strip = page.getByRole("slider", { name: "Runs over time" });
  const box = (await strip.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/since=.*until=/);
  await expect(page.getByText("No run is like that.")).toBeVisible();
  await page.getByRole("button", { name: "Show all times" }).click();
  await expect(page.getByRole("row")).toHaveCount(4);
});
