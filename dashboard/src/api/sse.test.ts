import { expect, it } from "vitest";
import { reader } from "./sse";

const TEXT = 'retry: 1000\n\nid: 1\nevent: received\ndata: {"seq":1}\n\n: still there\n\nid: 2\ndata: a\ndata: b\n\n';

it("reads messages however they are cut", () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    const read = reader();
    expect([...read(TEXT.slice(0, cut)), ...read(TEXT.slice(cut))]).toEqual([
      { id: "1", event: "received", data: '{"seq":1}' },
      { id: "2", data: "a\nb" },
    ]);
  }
});
