// Writes `src/api/schema.ts` from the OpenAPI document that the server's tests hold on to.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const DOCUMENT = new URL("../../crates/server/tests/it/snapshots/it__document__openapi.snap", import.meta.url);
export const SCHEMA = new URL("../src/api/schema.ts", import.meta.url);

export async function schema() {
  const snapshot = await readFile(DOCUMENT, "utf8");
  const document = JSON.parse(snapshot.slice(snapshot.indexOf("\n---\n", 4) + 5));
  // Types are looked up by path; names of operations would only have to be unique.
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) delete operation.operationId;
  }
  return `// Made by \`npm run types\` from the server's OpenAPI document.\n${astToString(await openapiTS(document, { defaultNonNullable: false }))}`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await writeFile(SCHEMA, await schema());
}
