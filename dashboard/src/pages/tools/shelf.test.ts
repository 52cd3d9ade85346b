import { expect, it } from "vitest";
import type { Tool } from "../../api/tools";
import { byDomain, fits, parameters } from "./shelf";

const tool = (name: string, effect = "read") => ({ name, effect, description: "Tells the time", source: "built in" }) as Tool;

it("groups tools by what stands before the dot", () => {
  expect(byDomain([tool("time.now"), tool("mail.send"), tool("time.zone")]).map(([domain, group]) => [domain, group.length])).toEqual([["mail", 1], ["time", 2]]);
});

it("finds by all words and by effect", () => {
  expect(fits(tool("time.now"), "tells TIME", "")).toBe(true);
  expect(fits(tool("time.now"), "tells weather", "")).toBe(false);
  expect(fits(tool("time.now"), "", "write")).toBe(false);
});

it("says what parameters must be", () => {
  const schema = {
    type: "object",
    required: ["to"],
    properties: {
      to: { type: "array", items: { type: "string" }, description: "Whom.", minItems: 1 },
      urgency: { enum: ["low", "high"], default: "low" },
      note: { type: ["string", "null"] },
    },
  };
  expect(parameters(schema).map(({ name, type, required, limits }) => [name, type, required, limits])).toEqual([
    ["to", "list of string", true, ["1 or more"]],
    ["urgency", '"low" | "high"', false, ['"low" when left out']],
    ["note", "string", false, []],
  ]);
});
