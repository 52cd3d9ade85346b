// How tools are grouped, found and described: pure, so that it can be tested.
import type { JsonSchema, Tool } from "../../api/tools";

export const EFFECTS = [
  { value: "read", label: "Reads" },
  { value: "egress", label: "Sends data out" },
  { value: "write", label: "Writes" },
];

/** By what stands before the dot, in the order of the alphabet. */
export function byDomain(tools: Tool[]): [string, Tool[]][] {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const domain = tool.name.split(".")[0] ?? tool.name;
    groups.set(domain, [...(groups.get(domain) ?? []), tool]);
  }
  return [...groups].toSorted(([a], [b]) => a.localeCompare(b));
}

export function fits(tool: Tool, q: string, effect: string): boolean {
  const text = `${tool.name} ${tool.description} ${tool.source}`.toLowerCase();
  return (effect === "" || tool.effect === effect) && q.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

export type Parameter = { name: string; type: string; required: boolean; says: string; limits: string[]; inner: Parameter[] };

/** A schema as a list of parameters, each with what it must be, in words. */
export function parameters(schema: JsonSchema | null | undefined): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, one]) => ({
    name,
    type: typeWords(one),
    required: schema?.required?.includes(name) ?? false,
    says: one.description ?? "",
    limits: limitsOf(one),
    inner: parameters(one.properties ? one : one.items),
  }));
}

export function typeWords(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type ?? "anything"]).filter((type) => type !== "null");
  return types.map((type) => (type === "array" && schema.items ? `list of ${typeWords(schema.items)}` : type)).join(" or ");
}

function limitsOf(schema: JsonSchema): string[] {
  const said: string[] = [];
  const say = (name: string, words: (value: unknown) => string) => name in schema && schema[name] !== undefined && said.push(words(schema[name]));
  say("minimum", (value) => `at least ${value}`);
  say("maximum", (value) => `at most ${value}`);
  say("minLength", (value) => (value === 1 ? "not empty" : `${value} characters or more`));
  say("maxLength", (value) => `${value} characters at most`);
  say("minItems", (value) => `${value} or more`);
  say("maxItems", (value) => `${value} at most`);
  say("format", (value) => `written as ${value}`);
  say("pattern", (value) => `like ${value}`);
  say("default", (value) => `${JSON.stringify(value)} when left out`);
  return said;
}
