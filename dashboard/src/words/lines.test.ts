import { expect, it } from "vitest";
import { changedLines } from "./lines";

const told = (before: string, after: string) => changedLines(before, after).map((line) => line.sign + line.text);

it("keeps what stays and tells what goes and comes", () => {
  expect(told("a\nb\nc", "a\nx\nc\nd")).toEqual([" a", "-b", "+x", " c", "+d"]);
});

it("tells a text that is new and one that is gone", () => {
  expect(told("", "a\nb")).toEqual(["+a", "+b"]);
  expect(told("a", "")).toEqual(["-a"]);
  expect(told("same", "same")).toEqual([" same"]);
});
