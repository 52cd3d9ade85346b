import { expect, it } from "vitest";
import { fits, PAGES } from "./pages";

const pageAt = (path: string) => PAGES.find((page) => fits(page.path, path))?.path;

it("finds the page of a path", () => {
  expect(["/", "/chat/x", "/runs", "/runs/compare", "/runs/run_1", "/learning", "/learning/lessons/lsn_1", "/nowhere"].map(pageAt)).toEqual([
    "/", "/chat/:session", "/runs", "/runs/compare", "/runs/:run", "/learning/*?", "/learning/*?", undefined,
  ]);
});
