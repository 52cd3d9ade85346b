// How soon the dashboard is seen and can be used, and how much of it there is: printed, never asserted.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "../e2e/world.ts";

const DIST = new URL("../dist", import.meta.url).pathname;
const LOOKS = 7;

test("how soon the dashboard is seen and can be used", async ({ browser, world }) => {
  const paints: number[] = [];
  const uses: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    // Nothing is in the cache of a new context.
    const context = await browser.newContext({ baseURL: world.url, storageState: world.state });
    const page = await context.newPage();
    await page.goto("/");
    await page.getByRole("textbox").first().waitFor();
    uses.push(await page.evaluate(() => performance.now()));
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN));
    await context.close();
  }
  console.log(`first contentful paint ${median(paints).toFixed(0)} ms, usable after ${median(uses).toFixed(0)} ms (median of ${LOOKS}, nothing cached)`);
  console.log(`${(packed(DIST) / 1000).toFixed(0)} kB in all, packed with brotli`);
});

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function packed(folder: string): number {
  const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return packed(path);
    return entry.name.endsWith(".br") ? statSync(path).size : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
