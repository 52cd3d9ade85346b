// While developing: every request goes to a running server with its key, and whoever has the key is signed in.
import type { Plugin, ProxyOptions } from "vite";

const PATHS = ["/v1", "/api", "/mcp", "/a2a", "/agui", "/healthz", "/readyz", "/openapi.json", "/docs", "/metrics"];

export function proxied(server: string, key: string | undefined): Record<string, ProxyOptions> {
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  // The server takes requests from its own pages only, and these come from elsewhere.
  const configure: ProxyOptions["configure"] = (proxy) => void proxy.on("proxyReq", (request) => request.removeHeader("origin"));
  return Object.fromEntries(PATHS.map((path) => [path, { target: server, changeOrigin: true, headers, configure }]));
}

export function signedIn(key: string | undefined): Plugin {
  return {
    name: "signed-in",
    apply: "serve",
    configureServer(dev) {
      if (!key) return;
      dev.middlewares.use("/v1/session", (_, response) => {
        response.setHeader("Content-Type", "application/json");
        const person = { name: "developer", role: "admin" };
        response.end(JSON.stringify({ signed_in: true, person, csrf: "none", has_password: true, version: "dev" }));
      });
    },
  };
}
