import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Event } from "../../ledger/events";
import { TWO_CITIES } from "../../ledger/make";
import { EventList } from "./EventList";

const rows = () => within(screen.getByRole("listbox", { name: "Events" })).getAllByRole("option");

it("draws only what is in sight of ten thousand events", () => {
  const call = TWO_CITIES[7]!;
  const many = Array.from({ length: 10_000 }, (_, at): Event => ({ ...call, seq: at + 1 }));
  render(<EventList events={many} onSelect={() => {}} />);
  const drawn = rows();
  expect(drawn.length).toBeLessThan(60);
  expect(drawn[0]?.getAttribute("aria-setsize")).toBe("10000");
});

it("filters by kind and by words, and selects", async () => {
  const onSelect = vi.fn();
  render(<EventList events={TWO_CITIES} onSelect={onSelect} />);
  await userEvent.selectOptions(screen.getByLabelText("Kind"), "calls");
  expect(rows()).toHaveLength(5);
  await userEvent.type(screen.getByLabelText("Words"), "oslo");
  expect(rows()).toHaveLength(1);
  await userEvent.click(rows()[0]!);
  expect(onSelect).toHaveBeenCalledWith(8);
});

it("is moved through with the arrows", async () => {
  const onSelect = vi.fn();
  render(<EventList events={TWO_CITIES} selected={8} onSelect={onSelect} />);
  screen.getByRole("listbox", { name: "Events" }).focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(onSelect).toHaveBeenCalledWith(9);
});
