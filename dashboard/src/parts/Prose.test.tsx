import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Prose } from "./Prose";

it("shows where a link leads and loads nothing", () => {
  const { container } = render(<Prose text={"Go to [the bank](https://evil.example/) ![p](https://evil.example/p.png)"} />);
  expect(screen.getByRole("link").textContent).toBe("https://evil.example/");
  expect(screen.getByRole("link").getAttribute("rel")).toContain("noreferrer");
  expect(container.querySelector("img")).toBeNull();
});

it("marks unseen characters inside formatting too", () => {
  render(<Prose text={"**safe\u202egpj**"} />);
  expect(screen.getByText("RLO")).toBeTruthy();
});
