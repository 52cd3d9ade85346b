import { expect, test } from "./world";

type Inbox = { approvals: { id: string; hash: string; plan: { steps: { agent?: string; prompt?: string }[] } }[] };

test("an agent that somebody changed has versions, a lineage and a way back", async ({ signedIn: page, world }) => {
  const run = await world.ask("Compare Oslo and Bergen, and put the figures on record.", { strategy: "cohort" });
  const { approvals } = await world.api<Inbox>("GET", `/v1/approvals?status=pending&run=${run}`);
  const [approval] = approvals;
  const step = approval?.plan.steps.find((one) => one.agent);
  if (step) step.prompt = `${step.prompt}\nBe brief.`;
  await world.api("POST", `/v1/approvals/${approval?.id}/decide`, { decision: "edit", hash: approval?.hash, plan: approval?.plan });

  await page.goto("/agents");
  const agent = page.getByRole("table", { name: "agents" }).getByRole("link", { name: step?.agent });
  await agent.click();
  await expect(page.getByLabel("What changed")).toContainText("added: Be brief.");
  await expect(page.getByText(/changed by/).first()).toBeVisible();
  await page.getByRole("list", { name: "Versions" }).getByRole("button", { name: "1" }).click();
  await page.getByRole("button", { name: "Use version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Use it" }).click();
  await expect(page.getByText("Version 1 is used from now on.")).toBeVisible();
  await page.getByRole("button", { name: "Offer it no longer" }).click();
  await expect(page.getByText("It is offered no longer.")).toBeVisible();
  await page.goto("/agents");
  await page.getByLabel("Also those that are not offered").check();
  await expect(agent).toBeVisible();
  await page.getByLabel("Also those that are not offered").uncheck();
  await expect(agent).toHaveCount(0);
});

test("tools are found by words and by effect, and say what they take", async ({ signedIn: page }) => {
  await page.goto("/tools");
  await page.getByLabel("Effect").selectOption("write");
  await page.getByLabel("Find a tool").fill("calendar appointment");
  await page.getByRole("link", { name: "calendar.add" }).click();
  await expect(page.getByText("needed").first()).toBeVisible();
  await expect(page.getByText("A moment such as")).toBeVisible();
  await expect(page).toHaveURL(/\/tools\/calendar\.add/);
});

test("what was written stands under intents, with its run", async ({ signedIn: page, world }) => {
  const run = await world.ask("Set a timer for ten minutes");
  await page.goto("/intents");
  const row = page.getByRole("listitem").filter({ hasText: "timer.set" }).filter({ hasText: run.slice(-8) });
  await expect(row.getByText("done").first()).toBeVisible();
  await row.getByRole("link", { name: /^run_/ }).click();
  await expect(page).toHaveURL(new RegExp(run));
});
