// The real binary in a scratch folder, with a person who is signed in. Files share it: tests look only at what they asked for.
import { test as base, type BrowserContext, type Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = new URL("../../", import.meta.url).pathname;

export type World = {
  url: string;
  /** Asks the server itself, with its first key. */
  api: <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<T>;
  /** Has something carried out and waits until it ends or waits for somebody. */
  ask: (text: string, more?: Record<string, unknown>) => Promise<string>;
  /** What a browser needs to be signed in. */
  state: Awaited<ReturnType<BrowserContext["storageState"]>>;
};

export const test = base.extend<{ signedIn: Page }, { world: World }>({
  world: [
    async ({ browser }, use) => {
      const server = await start();
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(server.welcome);
        await page.getByRole("button", { name: "Not now" }).click();
        await page.getByRole("heading", { name: "What shall be done?" }).waitFor();
        const state = await context.storageState();
        const api: World["api"] = async (method, path, body) => {
          const headers = { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json" };
          const answer = await fetch(server.url + path, {
            method,
            headers,
            body: body === undefined ? undefined : JSON.stringify(body),
          });
          if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
          return (await answer.json()) as never;
        };
        const ask: World["ask"] = async (text, more) =>
          (await api<{ run: string }>("POST", "/v1/runs", { text, wait: 20, ...more })).run;
        await use({ url: server.url, api, ask, state });
      } finally {
        await context.close();
        await server.stop();
      }
    },
    { scope: "worker", timeout: 60_000 },
  ],
  signedIn: async ({ browser, world }, use) => {
    const context = await browser.newContext({ baseURL: world.url, storageState: world.state });
    const page = await context.newPage();
    await use(page);
    await context.close();
  },
});

export { expect } from "@playwright/test";

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "agentwright-e2e-"));
  cpSync(join(ROOT, "examples/two-cities"), folder, { recursive: true });
  const binary = process.env.AGENTWRIGHT_BIN ?? join(ROOT, "target/debug/agentwright");
  const env = {
    ...process.env,
    XDG_DATA_HOME: join(folder, "data"),
    XDG_CONFIG_HOME: join(folder, "config"),
    NO_COLOR: "1",
  };
  const child = spawn(binary, ["serve", "--port", "0"], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  const said = await until(child, (text) => /Listening on \S+/.test(text) && /\/welcome#\S+/.test(text));
  const find = (pattern: RegExp) => pattern.exec(said)?.[1] ?? "";
  return {
    url: find(/Listening on (\S+)/),
    welcome: find(/(http\S+\/welcome#\S+)/),
    key: readFileSync(join(folder, ".agentwright/server.key"), "utf8").trim(),
    stop: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function until(child: ChildProcess, enough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr?.on("data", (piece: Buffer) => {
      text += piece.toString();
      if (enough(text)) resolve(text);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    child.once("error", reject);
  });
}
