// The official MCP clients for TypeScript: says as JSON what it saw.
//
// mcp_client.mjs MODULES PACKAGE MODE stdio COMMAND...
// mcp_client.mjs MODULES PACKAGE MODE http URL KEY

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, name, mode, how, ...rest] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const load = (path) => import(pathToFileURL(require.resolve(path)));

const old = name === "@modelcontextprotocol/sdk";
const { Client } = await load(old ? `${name}/client/index.js` : name);
const { StreamableHTTPClientTransport } = await load(old ? `${name}/client/streamableHttp.js` : name);
const { StdioClientTransport } = await load(old ? `${name}/client/stdio.js` : `${name}/stdio`);
const elicitation = old ? (await load(`${name}/types.js`)).ElicitRequestSchema : "elicitation/create";

function transport() {
  if (how === "stdio") return new StdioClientTransport({ command: rest[0], args: rest.slice(1) });
  const headers = { Authorization: `Bearer ${rest[1]}` };
  return new StreamableHTTPClientTransport(new URL(rest[0]), { requestInit: { headers } });
}

async function connected(capabilities) {
  const options = old ? { capabilities } : { capabilities, versionNegotiation: { mode } };
  return new Client({ name: "tests", version: "1.0.0" }, options);
}

const call = (client, name, args, options) =>
  old ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options);
const text = (result) => result.content.map((block) => block.text).join("");
const seen = { asked: [], progress: [] };

const person = await connected({ elicitation: {} });
person.setRequestHandler(elicitation, async (request) => {
  seen.asked.push(request.params.message);
  return { action: "accept", content: { decision: "approve" } };
});
await person.connect(transport());
const timer = await call(person, "run", { text: "set a timer for 5 minutes" });
seen.timer = [timer.structuredContent.status, text(timer)];
await person.close();

const client = await connected({});
await client.connect(transport());
seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
const onprogress = ({ message }) => seen.progress.push(message);
const done = await call(client, "run", { text: "What is 15 percent of 80?" }, { onprogress });
seen.answer = text(done);
seen.run = done.structuredContent;
const wrong = await call(client, "run", { txt: "?" });
seen.wrong = [wrong.isError, text(wrong)];
seen.unknown = await call(client, "nothing", {}).then(() => null, (error) => error.code);
const waits = await call(client, "run", { text: "set a timer for 5 minutes" });
const [wanted] = waits.structuredContent.waits_for;
seen.waits = [waits.structuredContent.status, wanted.settled_by];
const { id, hash } = wanted.approval;
const decided = await call(client, "approve", { approval: id, hash, decision: "reject", reason: "not now" });
seen.decided = decided.structuredContent.status;
await client.close();

console.log(JSON.stringify(seen));
process.exit(0);
