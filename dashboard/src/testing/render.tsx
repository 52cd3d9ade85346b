// Draws a part or a page in a test, with a server that answers from a table.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";

/** Answers by `METHOD /path` without the query; a function gets the URL and the body. */
export type Answers = Record<string, unknown | ((url: URL, body: unknown) => unknown)>;

export function serve(answers: Answers) {
  const asked: { method: string; url: URL; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (input: string, options: RequestInit = {}) => {
    const url = new URL(input, "http://localhost");
    const method = options.method ?? "GET";
    const body: unknown = typeof options.body === "string" ? JSON.parse(options.body) : undefined;
    asked.push({ method, url, body });
    const answer = answers[`${method} ${url.pathname}`];
    if (answer === undefined) {
      const error = { message: `nothing at ${method} ${url.pathname}`, type: "not_found_error", code: "not_found", param: null };
      return new Response(JSON.stringify({ error }), { status: 404 });
    }
    const said: unknown = typeof answer === "function" ? answer(url, body) : answer;
    return said instanceof Response ? said : new Response(JSON.stringify(said), { status: 200 });
  });
  return asked;
}

export function draw(what: ReactNode, path = "/") {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const [pathname = "/", search = ""] = path.split("?");
  const { hook, searchHook, history } = memoryLocation({ path: pathname, searchPath: search, record: true });
  const drawn = render(
    <QueryClientProvider client={client}>
      <Router hook={hook} searchHook={searchHook}>
        {what}
      </Router>
    </QueryClientProvider>,
  );
  return { ...drawn, history, client };
}
