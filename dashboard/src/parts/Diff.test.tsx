import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Diff } from "./Diff";

it("says what came and what went, to everybody", () => {
  render(<Diff before={{ a: 1 }} after={{ a: 2 }} />);
  const text = screen.getByLabelText("What changed").textContent;
  expect(text).toContain('removed:   "a": 1');
  expect(text).toContain('added:   "a": 2');
});

it("says that nothing changed", () => {
  render(<Diff before="same" after="same" />);
  expect(screen.getByText("Nothing changed.")).toBeTruthy();
});
