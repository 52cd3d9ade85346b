import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { TWO_CITIES } from "../../ledger/make";
import { Timeline } from "./Timeline";

it("has a bar for each call and says how it went", async () => {
  const onSelect = vi.fn();
  render(<Timeline events={TWO_CITIES} selected={{}} onSelect={onSelect} over />);
  const failed = screen.getByRole("button", { name: "city.population, failed, 200 ms" });
  await userEvent.click(failed);
  expect(onSelect).toHaveBeenCalledWith({ event: 10 });
  expect(screen.getByRole("listitem", { name: "bergen · attempt 2" }).textContent).toContain("↻");
});
