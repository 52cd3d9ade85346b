import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { SafeText } from "./SafeText";

const shown = (text: string) => render(<SafeText text={text} />).container;

it("shows markup as text", () => {
  const drawn = shown('<img src="https://evil.example/x.png"><script>alert(1)</script>');
  expect(drawn.querySelector("img, script")).toBeNull();
  expect(drawn.textContent).toContain("<script>alert(1)</script>");
});

it("marks characters that change what is seen", () => {
  const drawn = shown("pay \u202eexe.txt\u202c \u001b[31mred\u0007\u200b");
  expect([...drawn.querySelectorAll("span")].map((mark) => mark.textContent)).toEqual(["RLO", "PDF", "ESC", "BEL", "ZWSP"]);
  expect(drawn.textContent).not.toMatch(/[\u202e\u001b\u0007\u200b]/);
});

it("leaves lines, tabs, other scripts and emoji alone", () => {
  const text = "one\n\ttwo قهوة 👩‍🚀 क्‍ष";
  expect(shown(text).textContent).toBe(text);
});
