import { fireEvent, render, screen } from "@testing-library/react";
import { useEffect } from "react";
import { expect, it, vi } from "vitest";
import { listen, useKeys, type Binding } from "./keys";

function Bound({ bindings }: { bindings: Binding[] }) {
  useEffect(listen, []);
  useKeys("Test", bindings);
  return <input aria-label="words" />;
}

it("runs one key and two after each other, and nothing while somebody types", () => {
  const [one, two] = [vi.fn(), vi.fn()];
  render(<Bound bindings={[{ keys: "j", does: "next", run: one }, { keys: "g r", does: "runs", run: two }]} />);
  fireEvent.keyDown(document.body, { key: "j" });
  fireEvent.keyDown(document.body, { key: "g" });
  fireEvent.keyDown(document.body, { key: "r" });
  fireEvent.keyDown(screen.getByLabelText("words"), { key: "j" });
  expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 1]);
});

it("forgets the keys of what is no longer shown", () => {
  const run = vi.fn();
  const { unmount } = render(<Bound bindings={[{ keys: "x", does: "something", run }]} />);
  unmount();
  fireEvent.keyDown(document.body, { key: "x" });
  expect(run).not.toHaveBeenCalled();
});
