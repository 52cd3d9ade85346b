import { expect, test } from "./world";

const FOLDER = new URL("../../target/screenshots/", import.meta.url).pathname;
const LOOKS = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
] as const;

let pages: Record<string, string>;

test.beforeAll(async ({ world }) => {
  test.setTimeout(120_000);
  for (const text of ["What is 12 times 12?", "Turn on the kitchen light and set a timer for 5 minutes"])
    await world.ask(text, { session: "morning" });
  const [planned, waiting] = [
    await world.ask("Compare Oslo and Bergen, and put the figures on record.", {
      strategy: "task_graph",
      orchestration: "standard",
      session: "morning",
    }),
    await world.ask("Compare Oslo and Bergen, and put the figures on record.", {
      strategy: "cohort",
      orchestration: "standard",
    }),
  ];
  pages = {
    home: "/",
    chat: "/chat/morning",
    runs: "/runs",
    run: `/runs/${planned}?step=tell`,
    "run-timeline": `/runs/${planned}?tab=timeline`,
    "run-events": `/runs/${planned}?tab=events&event=11`,
    "run-versions": `/runs/${planned}?tab=versions`,
    "run-waiting": `/runs/${waiting}`,
    compare: `/runs/compare?a=${planned}&b=${waiting}`,
    approvals: "/approvals",
    routes: "/routes",
    learning: "/learning",
    agents: "/agents",
    tools: "/tools",
    intents: "/intents",
    settings: "/settings",
  };
});

for (const look of LOOKS) {
  test(`every page is drawn, ${look.name}`, async ({ browser, world }) => {
    test.setTimeout(180_000);
    const context = await browser.newContext({
      baseURL: world.url,
      storageState: world.state,
      colorScheme: look.colorScheme,
      viewport: look.viewport,
    });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      await page.getByRole("heading").first().waitFor();
      await page.waitForTimeout(150);
      await page.screenshot({ path: `${FOLDER}${name}-${look.name}.png` });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
    }
    await context.close();
  });
}
