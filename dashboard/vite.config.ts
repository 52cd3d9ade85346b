import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressed } from "./build/compressed.ts";
import { proxied, signedIn } from "./build/standin.ts";

const server = process.env.AGENTWRIGHT_URL ?? "http://127.0.0.1:7878";
const key = process.env.AGENTWRIGHT_KEY;

export default defineConfig({
  plugins: [react(), signedIn(key), compressed("dist")],
  build: { target: "es2023", sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { host: "127.0.0.1", proxy: proxied(server, key) },
  test: { environment: "jsdom", setupFiles: ["src/testing/setup.ts"], include: ["src/**/*.test.{ts,tsx}"] },
});
