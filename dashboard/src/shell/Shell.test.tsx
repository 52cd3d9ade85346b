import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { draw, serve } from "../testing/render";
import { Shell } from "./Shell";

const SESSION = { signed_in: true, person: { name: "ada", role: "admin" }, csrf: "x", has_password: true, version: "0.1.0" };

it("says where one is and who is signed in", async () => {
  serve({ "GET /v1/session": SESSION });
  draw(<Shell>a page</Shell>, "/runs");
  const pages = within(screen.getByRole("navigation", { name: "Pages" }));
  expect(pages.getByRole("link", { current: "page" }).textContent).toBe("Runs");
  expect(await screen.findByText("ada")).toBeTruthy();
});

it("lists the keys and goes where they say", async () => {
  serve({ "GET /v1/session": SESSION });
  const { history } = draw(<Shell>a page</Shell>);
  fireEvent.keyDown(document.body, { key: "?" });
  expect(screen.getByRole("dialog", { name: "Keys" }).textContent).toContain("go to Learning");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  fireEvent.keyDown(document.body, { key: "g" });
  fireEvent.keyDown(document.body, { key: "e" });
  expect(history?.at(-1)).toBe("/learning");
});
