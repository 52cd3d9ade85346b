import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { TWO_CITIES } from "../ledger/make";
import { draw } from "../testing/render";
import { useEvents } from "./stream";

afterEach(() => vi.unstubAllGlobals());

const said = (from: number, to: number) =>
  TWO_CITIES.slice(from, to)
    .map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");

function Watch() {
  const { events, state } = useEvents("run_1");
  return <p>{`${state} ${events.map((event) => event.seq).join(",")}`}</p>;
}

it("goes on where it was cut off, misses nothing and stops at the end", async () => {
  const asked: (string | undefined)[] = [];
  const answers = [said(0, 3), said(3, TWO_CITIES.length)];
  vi.stubGlobal("fetch", async (_: string, options: RequestInit) => {
    asked.push((options.headers as Record<string, string>)["Last-Event-ID"]);
    return new Response(answers.shift());
  });
  draw(<Watch />);
  const all = TWO_CITIES.map((event) => event.seq).join(",");
  await waitFor(() => expect(screen.getByText(`ended ${all}`)).toBeTruthy(), { timeout: 3000 });
  expect(asked).toEqual([undefined, "3"]);
});

it("says that a server is away, and gives up on what is not there", async () => {
  const error = { message: "there is no such run", type: "not_found_error", code: "not_found", param: null };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ error }), { status: 404 }));
  draw(<Watch />);
  await waitFor(() => expect(screen.getByText("ended")).toBeTruthy());
});

it("leaves the connection to others while nobody sees it, and catches up after", async () => {
  let hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  const turn = (to: boolean) => {
    hidden = to;
    document.dispatchEvent(new Event("visibilitychange"));
  };
  const asked: (string | undefined)[] = [];
  vi.stubGlobal("fetch", async (_: string, options: RequestInit) => {
    asked.push((options.headers as Record<string, string>)["Last-Event-ID"]);
    if (asked.length > 1) return new Response(said(3, TWO_CITIES.length));
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(said(0, 3)));
        options.signal?.addEventListener("abort", () => stream.error(new DOMException("gone", "AbortError")));
      },
    });
    return new Response(body);
  });
  draw(<Watch />);
  await waitFor(() => expect(screen.getByText("live 1,2,3")).toBeTruthy());
  turn(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toHaveLength(1);
  turn(false);
  await waitFor(() => expect(screen.getByText(/^ended/)).toBeTruthy());
  expect(asked).toEqual([undefined, "3"]);
});
