import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Status, StatusMark } from "./Status";

it("says a state in words beside its shape", () => {
  render(<Status status="in_doubt" />);
  expect(screen.getByText("in doubt").querySelector("svg")).not.toBeNull();
});

it("says the word to those who do not see the shape", () => {
  render(<StatusMark status="failed" />);
  expect(screen.getByText("failed")).toBeTruthy();
});

it("draws what it does not know as it is called", () => {
  render(<Status status="half_baked" />);
  expect(screen.getByText("half baked")).toBeTruthy();
});
