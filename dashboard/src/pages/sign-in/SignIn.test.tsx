import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw, serve } from "../../testing/render";
import { SignIn } from "./SignIn";

it("signs in with name and password, and says what is wrong", async () => {
  const error = { message: "name or password is wrong", type: "authentication_error", code: "wrong_password", param: null };
  const asked = serve({ "POST /v1/session": () => new Response(JSON.stringify({ error }), { status: 401 }) });
  draw(<SignIn />);
  await userEvent.type(screen.getByLabelText("Name"), "ada");
  await userEvent.type(screen.getByLabelText("Password"), "wrong horse");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect((await screen.findByRole("alert")).textContent).toBe("name or password is wrong");
  expect(asked[0]?.body).toEqual({ name: "ada", password: "wrong horse" });
});
