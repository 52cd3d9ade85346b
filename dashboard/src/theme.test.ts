// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync(new URL("theme.css", import.meta.url), "utf8");
const tokens = (block: string) =>
  Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
const [light = "", dark = "", system = ""] = [
  /:root \{([^}]*)\}/,
  /data-theme="dark"\] \{([^}]*)\}/,
  /:not\(\[data-theme="light"\]\) \{([^}]*)\}/,
].map((pattern) => pattern.exec(css)?.[1]);

function brightness(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [brightness(a), brightness(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ["bg", "surface", "sunken", "hover", "selected"];
const PAIRS: [string, string][] = [
  ...["text", "text-2", "text-3", "accent", "good", "bad", "warn", "doubt", "idle"].flatMap((text) =>
    GROUNDS.map((ground): [string, string] => [text, ground]),
  ),
  ...["good", "bad", "warn", "doubt", "idle", "accent"].map((tone): [string, string] => [tone, `${tone}-soft`]),
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
];

it.each([
  ["light", light],
  ["dark", dark],
])("can be read: %s", (_, block) => {
  const colours = tokens(block);
  const poor = PAIRS.map(
    ([text, ground]) => [text, ground, contrast(colours[text] ?? "#000000", colours[ground] ?? "#000000")] as const,
  ).filter(([, , ratio]) => ratio < 4.5);
  expect(poor.map(([text, ground, ratio]) => `${text} on ${ground}: ${ratio.toFixed(2)}`)).toEqual([]);
});

it("is as dark when the system says so as when the person does", () => {
  expect(tokens(system)).toEqual(tokens(dark));
});
