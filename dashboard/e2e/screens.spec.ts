// Pages with something on them: what is opened, changed and asked, beside the first look that `screenshots.spec.ts` takes.
import { teach } from "./taught";
import { expect, test } from "./world";

const FOLDER = new URL("../../target/screenshots/", import.meta.url).pathname;
const LOOKS = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
] as const;

let pages: Record<string, string>;

test.beforeAll(async ({ world }) => {
  test.setTimeout(180_000);
  await teach(world, "porter");
  const { lessons } = await world.api<{ lessons: { id: string; agent: string }[] }>("GET", "/v1/lessons?status=proposed");
  // What was taught before may have been learnt for others already.
  const [first, second] = lessons.toSorted((a, b) => Number(b.agent === "porter") - Number(a.agent === "porter"));
  if (first) await world.api("POST", `/v1/lessons/${first.id}/accept`, { now: true });
  const { lessons: known } = await world.api<{ lessons: { id: string; agent: string }[] }>("GET", "/v1/lessons");
  const lesson = first ?? known[0];
  if (second) await world.api("POST", `/v1/lessons/${second.id}/accept`, { now: false });
  await world.api("POST", "/v1/learning/run");
  const run = await world.ask("Compare Oslo and Bergen, and put the figures on record.", { strategy: "cohort" });
  const said = await world.ask("What is 12 times 12?");
  await world.api("POST", "/v1/routes/corrections", { run: said, role: "plan" });
  const { approvals } = await world.api<{ approvals: { id: string }[] }>("GET", `/v1/approvals?status=pending&run=${run}`);
  const { patterns } = await world.api<{ patterns: { id: string }[] }>("GET", "/v1/patterns");
  const { items } = await world.api<{ items: { name: string }[] }>("GET", "/v1/agents");
  const { traces } = await world.api<{ traces: { id: string }[] }>("GET", "/v1/traces?agent=porter&limit=1");
  pages = {
    approval: `/approvals/${approvals[0]?.id}`,
    "approval-edit": `/approvals/${approvals[0]?.id}?mode=edit`,
    "route-explained": "/routes?text=Turn+off+the+kitchen+light+and+set+a+timer",
    "route-quality": "/routes/quality",
    "route-roles": "/routes/roles",
    "route-corrections": "/routes/corrections",
    "route-pathways": "/routes/pathways",
    "learning-flow": "/learning",
    "learning-pattern": `/learning/patterns/${patterns[0]?.id}`,
    "learning-lesson": `/learning/lessons/${lesson?.id}`,
    "learning-experiments": "/learning/experiments",
    "learning-guideline": `/learning/guidelines/${lesson?.agent}`,
    "learning-cycles": "/learning/cycles",
    "learning-trace": `/learning/traces/${traces[0]?.id}`,
    agent: `/agents/${items[0]?.name}`,
    tool: "/tools/calendar.add",
    keys: "/settings/keys",
    people: "/settings/people",
    memories: "/settings/memories",
    configuration: "/settings/configuration",
    audit: "/settings/audit",
  };
});

for (const look of LOOKS) {
  test(`every page is drawn with something on it, ${look.name}`, async ({ browser, world }) => {
    test.setTimeout(240_000);
    const context = await browser.newContext({ baseURL: world.url, storageState: world.state, colorScheme: look.colorScheme, viewport: look.viewport });
    const page = await context.newPage();
    const broken: string[] = [];
    page.on("pageerror", (error) => broken.push(error.message));
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      await page.getByRole("heading").first().waitFor();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      await page.waitForTimeout(100);
      await page.screenshot({ path: `${FOLDER}${name}-${look.name}.png` });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
      await expect(page.getByText("This could not be shown."), name).toHaveCount(0);
    }
    expect(broken).toEqual([]);
    await context.close();
  });
}
