import { expect, test } from "./world";

const MANY = 10_000;

test("a run of ten thousand events stays smooth", async ({ signedIn: page, world }) => {
  const run = await world.ask("What is 12 times 12?");
  const start = Date.parse("2026-11-15T12:00:00Z");
  const event = (seq: number, kind: string, data: unknown, key = kind) => ({
    seq,
    key,
    at: new Date(start + seq * 10).toISOString(),
    kind,
    data,
  });
  const events = Array.from({ length: MANY }, (_, at) =>
    at === 0
      ? event(1, "received", { request: { text: "many" } })
      : at === MANY - 1
        ? event(MANY, "finished", {
            ending: { status: "completed", answer: "done" },
            spent: { input_tokens: 0, output_tokens: 0, cost: 0, model_calls: 0, tool_calls: MANY },
          })
        : event(
            at + 1,
            "tool_called",
            { tool: "city.population", arguments: { city: "Oslo" }, result: { ok: `Oslo ${at}` }, millis: 5 },
            `step/s${at % 100}/1/way/1/turn/${at}/tool/0`,
          ),
  );
  await page.route(`**/v1/runs/${run}/events`, (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: events.map((one) => `id: ${one.seq}\ndata: ${JSON.stringify(one)}\n\n`).join(""),
    }),
  );
  await page.goto(`/runs/${run}?tab=events`);
  await expect(page.getByRole("tab", { name: /Events/ })).toContainText("10,000");
  const list = page.getByRole("listbox", { name: "Events" });
  const frames = await list.evaluate(async (frame) => {
    const took: number[] = [];
    let last = performance.now();
    for (let at = 0; at < 120; at++) {
      frame.scrollTop += 400;
      await new Promise(requestAnimationFrame);
      took.push(performance.now() - last);
      last = performance.now();
    }
    return took.sort((a, b) => a - b);
  });
  console.log(
    `frames while scrolling 10,000 events: median ${frames[60]!.toFixed(1)} ms, p95 ${frames[114]!.toFixed(1)} ms, worst ${frames[119]!.toFixed(1)} ms`,
  );
  expect(await list.getByRole("option").count()).toBeLessThan(80);
  await page.goto(`/runs/${run}?tab=events&event=9000`);
  await expect(list.getByRole("option", { selected: true })).toContainText("9000");
  await page.getByRole("tab", { name: "Timeline" }).click();
  await expect(page.getByRole("list", { name: "Timeline" })).toBeVisible();
  expect(await page.getByRole("listitem").count()).toBeLessThan(60);
});
