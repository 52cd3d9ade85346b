import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Problem } from "../api/client";
import { Asked } from "./Asked";

const query = (state: { data?: string[]; error?: Error; isPending?: boolean }) =>
  ({ data: state.data, error: state.error ?? null, isPending: state.isPending ?? false, refetch: () => {} }) as never;
const drawn = (state: Parameters<typeof query>[0]) =>
  render(
    <Asked query={query(state)} nothing={(list: string[]) => list.length === 0} empty="none">
      {(list) => list.join()}
    </Asked>,
  );

it("draws waiting, refusal and nothing before what there is", () => {
  drawn({ isPending: true });
  expect(screen.getByRole("status")).toBeTruthy();
  drawn({ error: new Problem(403, { message: "admins only", type: "permission_error", code: "role_too_low", param: null }) });
  expect(screen.getByRole("alert").textContent).toContain("This is not yours to see or do.");
  drawn({ data: [] });
  expect(screen.getByText("none")).toBeTruthy();
  drawn({ data: ["a", "b"] });
  expect(screen.getByText("a,b")).toBeTruthy();
});
