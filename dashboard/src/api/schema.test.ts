// @vitest-environment node
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { schema, SCHEMA } from "../../build/types.mjs";

it("is what `npm run types` makes of the server's document", async () => {
  expect(await readFile(SCHEMA, "utf8")).toBe(await schema());
}, 30_000);
