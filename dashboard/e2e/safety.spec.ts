import { expect, test } from "./world";

const NASTY =
  'Say <img src="https://evil.example/a.png" onerror="alert(1)"><script>alert(2)</script> ![x](https://evil.example/b.png) \u202egpj.exe';

test("nothing from elsewhere is loaded and nothing forbidden is done, whatever texts say", async ({
  signedIn: page,
  world,
}) => {
  const run = await world.ask(NASTY, { session: "nasty" });
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== world.url && url.protocol.startsWith("http")) elsewhere.push(request.url());
  });
  page.on("console", (message) => /Content Security Policy/i.test(message.text()) && complaints.push(message.text()));
  page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  for (const path of [
    "/",
    "/runs",
    "/chat/nasty",
    `/runs/${run}`,
    `/runs/${run}?tab=timeline`,
    `/runs/${run}?tab=events&event=1`,
    "/approvals",
    "/routes",
    "/learning",
    "/agents",
    "/tools",
    "/intents",
    "/settings",
  ]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle").catch(() => undefined);
  }
  await page.goto(`/runs/${run}`);
  await expect(page.getByRole("heading", { name: /<script>alert\(2\)<\/script>/ })).toContainText("RLO");
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the first paint comes soon", async ({ signedIn: page }) => {
  await page.goto("/");
  await page.getByLabel("Your request").waitFor();
  const figures = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    usable: performance.now(),
    bytes: performance
      .getEntriesByType("resource")
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
  }));
  console.log(
    `first contentful paint ${figures.paint?.toFixed(0)} ms, usable by ${figures.usable.toFixed(0)} ms, ${(figures.bytes / 1000).toFixed(0)} kB moved`,
  );
  expect(figures.paint).toBeDefined();
});

test("whoever signs out sees nothing any more", async ({ browser, world }) => {
  const { token } = await world.api<{ token: string }>("POST", "/v1/people", { name: "visitor", role: "viewer" });
  const page = await browser.newPage({ baseURL: world.url });
  await page.goto(`/welcome#${token}`);
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in to Agentwright" })).toBeVisible();
  await page.close();
});
