import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { expect, it } from "vitest";
import { draw } from "../testing/render";
import { listen } from "./keys";
import { useListKeys } from "./listKeys";

function List({ open }: { open: number }) {
  useEffect(listen, []);
  useListKeys("A list", ["/a", "/b", "/c"], open);
  return null;
}

it("moves to the next and the one before, and stops at the ends", async () => {
  const first = draw(<List open={-1} />);
  await userEvent.keyboard("j");
  expect(first.history?.at(-1)).toBe("/a");
  first.unmount();
  const last = draw(<List open={2} />);
  await userEvent.keyboard("j");
  await userEvent.keyboard("k");
  expect(last.history?.slice(-2)).toEqual(["/c", "/b"]);
});
