import { expect, it } from "vitest";
import { blocks, spans } from "./prose";

it("tells paragraphs, lists, headings and code apart", () => {
  const kinds = blocks("# Title\n\nHello\nthere\n\n- a\n- b\n1. c\n\n```js\nlet x = 1;\n```\n> said").map((block) => block.kind);
  expect(kinds).toEqual(["heading", "paragraph", "list", "list", "code", "quote"]);
});

it("finds bold, code and links", () => {
  expect(spans("**b** `c` [site](https://a.example/x) 2 * 3 * 4")).toEqual([
    { kind: "bold", text: "b" },
    { kind: "text", text: " " },
    { kind: "code", text: "c" },
    { kind: "text", text: " " },
    { kind: "link", text: "site", url: "https://a.example/x" },
    { kind: "text", text: " 2 * 3 * 4" },
  ]);
});

it("leaves pictures and odd addresses as text", () => {
  for (const text of ["![x](https://evil.example/p.png)", "[x](javascript:alert(1)", "<img src=x>"]) {
    expect(spans(text).every((span) => span.kind === "text")).toBe(true);
  }
});
