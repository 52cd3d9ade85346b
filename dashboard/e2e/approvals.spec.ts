import { expect, test } from "./world";

const CITIES = "Compare Oslo and Bergen, and put the figures on record.";
type Inbox = { approvals: { id: string; run_id: string; hash: string }[] };

test("what waits is opened by keyboard, read, and approved after one more question", async ({ signedIn: page, world }) => {
  const run = await world.ask(CITIES, { strategy: "cohort" });
  const { approvals } = await world.api<Inbox>("GET", `/v1/approvals?status=pending&run=${run}`);
  await page.goto("/approvals");
  await expect(page.getByRole("list", { name: "Approvals" }).getByRole("link").first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/\/approvals\/apr_/);
  await page.locator(`a[href="/approvals/${approvals[0]?.id}"]`).click();
  await expect(page.getByRole("button", { name: "Approve" })).toBeEnabled();
  await expect(page.getByText("cannot be taken back, stays on this machine")).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByRole("dialog", { name: "Approve what cannot be taken back?" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Approved.")).toBeVisible();
  await expect.poll(async () => (await world.api<{ run: { status: string } }>("GET", `/v1/runs/${run}`)).run.status).not.toBe("pending");
});

test("a plan is changed, refused with reasons, set right and carried out as changed", async ({ signedIn: page, world }) => {
  const run = await world.ask(CITIES, { strategy: "cohort" });
  const { approvals } = await world.api<Inbox>("GET", `/v1/approvals?status=pending&run=${run}`);
  await page.goto(`/approvals/${approvals[0]?.id}`);
  await expect(page.getByRole("button", { name: "Edit" })).toBeEnabled();
  await page.keyboard.press("e");
  const first = page.getByRole("group", { name: "oslo" });
  await first.getByLabel("Tool").fill("city.pop");
  await page.getByRole("button", { name: "Approve with changes" }).click();
  await expect(first.getByText("stands in the way")).toBeVisible();
  await first.getByLabel("Tool").fill("city.population");
  await first.getByLabel("Goal").fill("count the people of Oslo");
  await page.getByRole("tab", { name: "What you changed" }).click();
  await expect(page.getByLabel("What changed")).toContainText("count the people of Oslo");
  await page.getByRole("button", { name: "Approve with changes" }).click();
  await expect(page.getByText("Approved with your changes.")).toBeVisible();
  const goals = async () => (await world.api<{ plan: { steps: { goal: string }[] } }>("GET", `/v1/runs/${run}/plan`)).plan.steps.map((step) => step.goal);
  await expect.poll(goals).toContain("count the people of Oslo");
});

test("a plan is rejected with a reason that stands on record", async ({ signedIn: page, world }) => {
  const run = await world.ask(CITIES, { strategy: "cohort" });
  const { approvals } = await world.api<Inbox>("GET", `/v1/approvals?status=pending&run=${run}`);
  await page.goto(`/approvals/${approvals[0]?.id}`);
  await expect(page.getByRole("button", { name: "Reject" })).toBeEnabled();
  await page.keyboard.press("r");
  await page.getByLabel("Why not?").fill("not today");
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Rejected.")).toBeVisible();
  await page.goto(`/approvals/${approvals[0]?.id}?status=decided`);
  await expect(page.getByRole("article").getByText("not today")).toBeVisible();
});

test("whoever comes second is told", async ({ signedIn: page, world }) => {
  const run = await world.ask(CITIES, { strategy: "cohort" });
  const { approvals } = await world.api<Inbox>("GET", `/v1/approvals?status=pending&run=${run}`);
  const [approval] = approvals;
  await page.goto(`/approvals/${approval?.id}?mode=reject`);
  await expect(page.getByRole("button", { name: "Reject" })).toBeEnabled();
  await world.api("POST", `/v1/approvals/${approval?.id}/decide`, { decision: "reject", hash: approval?.hash });
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Somebody was faster.")).toBeVisible();
});
