import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { Tabs } from "./Tabs";

const TABS = [
  { id: "plan" as const, label: "Plan" },
  { id: "events" as const, label: "Events", count: 12_000 },
];

it("is moved through with the arrows", async () => {
  const onChange = vi.fn();
  render(<Tabs label="Views" tabs={TABS} value="plan" onChange={onChange} />);
  screen.getByRole("tab", { name: "Plan" }).focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(onChange).toHaveBeenCalledWith("events");
});

it("says which is chosen", () => {
  render(<Tabs label="Views" tabs={TABS} value="events" onChange={() => {}} />);
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Events12,000");
});
