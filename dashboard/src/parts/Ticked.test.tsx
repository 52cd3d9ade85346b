import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { Ticked } from "./Ticked";

it("sets names apart, and leaves a lone backtick alone", () => {
  const { container } = render(<Ticked text="Call `a.b` before `c`." />);
  expect([...container.querySelectorAll("code")].map((code) => code.textContent)).toEqual(["a.b", "c"]);
  const lone = render(<Ticked text="a ` b" />);
  expect(lone.container.textContent).toBe("a ` b");
  expect(lone.container.querySelector("code")).toBeNull();
});

it("shows what would turn the sentence around", () => {
  const { container } = render(<Ticked text={"Call `a\u202eb`."} />);
  expect(container.querySelector("code span")?.textContent).toBe("RLO");
});

it("leads to what an id names", () => {
  const { getByRole } = render(<Ticked text="It waits (`lsn_9b915c7f96daacda`)." />);
  expect(getByRole("link").getAttribute("href")).toBe("/learning/lessons/lsn_9b915c7f96daacda");
});
