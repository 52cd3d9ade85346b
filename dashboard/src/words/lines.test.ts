import { expect, it } from "vitest";
import { changedLines, folded } from "./lines";

const told = (before: string, after: string) => changedLines(before, after).map((line) => line.sign + line.text);

it("keeps what stays and tells what goes and comes", () => {
  expect(told("a\nb\nc", "a\nx\nc\nd")).toEqual([" a", "-b", "+x", " c", "+d"]);
});

it("tells a text that is new and one that is gone", () => {
  expect(told("", "a\nb")).toEqual(["+a", "+b"]);
  expect(told("a", "")).toEqual(["-a"]);
  expect(told("same", "same")).toEqual([" same"]);
});

it("folds what stays the same for long", () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
  const shown = folded(changedLines(before, before.replace("line 10", "line ten")), 1);
  expect(shown.map((line) => (line.sign === "…" ? `… ${line.lines}` : line.sign + line.text))).toEqual([
    "… 9", " line 9", "-line 10", "+line ten", " line 11", "… 8",
  ]);
});
