import { expect, it } from "vitest";
import { sentence } from "./sentence";

it("makes sentences of what is said in passing, and leaves sentences and names alone", () => {
  expect(["it is told to some", "It helps.", "`a.b` is gone", ""].map(sentence)).toEqual(["It is told to some.", "It helps.", "`a.b` is gone.", ""]);
});
