// Where the arguments of a call come from: the plan's own words, the result of a step, an agent, a person.
import { stepOf, type Event } from "./events";
import { mentions } from "./plan";
import { stepIn, type RunState } from "./state";

export type Origin = { kind: "plan" | "result" | "agent" | "person" | "request"; says: string; step?: string };
export type Sourced = { name: string; value: unknown; origins: Origin[] };

export function sourced(event: Event, args: unknown, state: RunState, events: Event[]): Sourced[] {
  const entries =
    args !== null && typeof args === "object" && !Array.isArray(args)
      ? Object.entries(args)
      : [["", args] as [string, unknown]];
  const at = stepOf(event.key);
  const step = at && stepIn(state, at.step);
  const template = step?.tool === undefined ? undefined : step.arguments;
  const edited = events.findLast(
    (one) =>
      one.seq < event.seq &&
      one.kind === "answered" &&
      event.key.startsWith(one.data.name.replace(/\/approval.*$/, "")) &&
      decision(one.data.answer) === "edit",
  );
  return entries.map(([name, value]) => {
    if (edited?.kind === "answered")
      return { name, value, origins: [{ kind: "person", says: `changed by ${edited.data.by ?? "a person"}` }] };
    const turn = /\/turn\/(\d+)/.exec(event.key)?.[1];
    if (turn)
      return {
        name,
        value,
        origins: [
          { kind: "agent", says: `chosen by the agent${at ? ` of \`${at.step}\`` : ""} in turn ${turn}` },
          ...seen(value, event.seq, events),
        ],
      };
    const own =
      template !== null && typeof template === "object" ? (template as Record<string, unknown>)[name] : undefined;
    const taken = mentions(own);
    if (taken.length > 0) {
      return {
        name,
        value,
        origins: taken.map((one) => ({
          kind: "result" as const,
          says: `from the result of \`${one.step}\`${one.path ? `, \`${one.path}\`` : ""}`,
          step: one.step,
        })),
      };
    }
    return { name, value, origins: [written(value, state)] };
  });
}

function written(value: unknown, state: RunState): Origin {
  const asked = state.received?.data.request.text.toLowerCase() ?? "";
  const text = typeof value === "string" || typeof value === "number" ? String(value).toLowerCase() : "";
  if (text.length > 1 && asked.includes(text)) return { kind: "request", says: "in the words of the request" };
  return { kind: "plan", says: "written in the plan" };
}

/** Results of tools that an agent's argument repeats: where it may have been talked into it. */
function seen(value: unknown, before: number, events: Event[]): Origin[] {
  if (typeof value !== "string" || value.length < 4) return [];
  const found = events.find(
    (one) =>
      one.seq < before &&
      one.kind === "tool_called" &&
      "ok" in one.data.result &&
      JSON.stringify(one.data.result.ok).includes(JSON.stringify(value).slice(1, -1)),
  );
  return found?.kind === "tool_called"
    ? [{ kind: "result", says: `the same words are in the result of \`${found.data.tool}\`, event ${found.seq}` }]
    : [];
}

function decision(answer: unknown): unknown {
  return answer !== null && typeof answer === "object" && "decision" in answer ? answer.decision : undefined;
}
