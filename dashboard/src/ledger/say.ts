// One sentence for each event, as listings show them.
import { duration, money, plural, words } from "../words/format";
import { went, type Data, type Event, type Kind, type Trouble } from "./events";

const SAYINGS: { [K in Kind]: (data: Data[K]) => string } = {
  received: ({ request, parent }) => (parent ? `forked at event ${parent.seq}: ` : "") + request.text,
  resumed: ({ epoch }) => `taken up again, epoch ${epoch}`,
  routed: ({ route, strategy, why }) => `${route}, ${words(strategy)}: ${why}`,
  recalled: ({ memories, recent, guidelines, shortlist }) => {
    const points = guidelines?.flatMap((guideline) => guideline.points).length ?? 0;
    const found = [
      memories.length > 0 && plural(memories.length, "memory", "memories"),
      recent.length > 0 && plural(recent.length, "recent answer"),
      points > 0 && plural(points, "guideline point"),
      shortlist && plural(shortlist.tools.length, "tool"),
    ];
    return found.filter(Boolean).join(", ") || "nothing";
  },
  chosen: ({ choice, step }) =>
    `${step ? `${step}: ` : ""}${choice.decision}${choice.item ? ` ${choice.item[0]}` : ""}: ${choice.why}`,
  weighed: ({ complexity }) =>
    `complexity ${complexity.score.toFixed(2)}, ${complexity.orchestration}: ${complexity.explanation}`,
  thought: ({ round, pass, thought }) => `round ${round}, pass ${pass}: ${thought.reasoning}`,
  verified: ({ attempt, findings }) =>
    `draft ${attempt}: ${findings.length === 0 ? "nothing found" : findings.map((finding) => finding.says).join("; ")}`,
  plan_refused: ({ version, findings }) => `draft ${version}: ${findings.join("; ")}`,
  planned: ({ version, plan, because }) =>
    `plan ${version}, ${plural(plan.steps.length, "step")}${because ? `, because ${because}` : `: ${plan.goal ?? ""}`}`,
  critiqued: ({ critique }) => `${critique.verdict} at ${critique.overall.toFixed(2)}: ${critique.summary}`,
  scored: ({ confidence }) =>
    `confidence ${confidence.overall.toFixed(2)}${confidence.advice ? `, ${confidence.advice}` : ""}`,
  assessed: ({ assessment }) => `quality ${assessment.quality.toFixed(2)}: ${assessment.assessment}`,
  gated: ({ next, why }) => `${next}: ${why}`,
  foreseen: ({ forecast }) =>
    `${money(forecast.usd.middle)}, ${duration(forecast.seconds.middle * 1000)}, success ${forecast.success.middle.toFixed(2)}`,
  staffed: ({ members }) =>
    members.map((member) => `${member.step}: ${member.name}`).join(", ") || "no agents are needed",
  forged: ({ agent, tools }) => `${agent} with ${plural(tools.length, "tool")}`,
  step_started: ({ step, attempt }) => `${step}${nth(attempt)}`,
  model_called: ({ component, model, reply, millis }) =>
    `${component} asked ${model} (${duration(millis)}): ${went(reply) ? replied(reply.ok) : trouble(reply.err)}`,
  tool_called: ({ tool, result, millis }) =>
    `${tool} (${duration(millis)}): ${went(result) ? brief(result.ok) : trouble(result.err)}`,
  message_sent: ({ from, to, text, refused }) => `${from} to ${to}: ${text}${refused ? ` (refused: ${refused})` : ""}`,
  messages_read: ({ agent, count }) => `${agent} has read ${plural(count, "message")}`,
  intent_declared: ({ intent }) => `${intent.tool} ${brief(intent.arguments)}`,
  intent_sent: ({ intent, attempt }) => `${intent.split("/").slice(1).join("/")}${nth(attempt)}`,
  intent_settled: ({ settlement }) =>
    `${settlement.outcome}${"detail" in settlement ? `: ${settlement.detail}` : ""}${"error" in settlement ? `: ${trouble(settlement.error)}` : ""}`,
  step_finished: ({ step, attempt, outcome }) =>
    `${step}${nth(attempt)} ${outcome.outcome}: ${outcome.outcome === "done" ? brief(outcome.output) : outcome.reason}`,
  kept: ({ items }) => items.map((item) => item.name).join(", "),
  waiting: ({ wait }) => ("question" in wait.need ? wait.need.question : `until ${wait.need.at}`),
  answered: ({ answer, by }) => `${by ? `${by}: ` : ""}${brief(answer)}`,
  cancel_asked: ({ reason }) => reason ?? "somebody wants it to stop",
  finished: ({ ending }) =>
    ending.status === "completed"
      ? ending.answer
      : ending.status === "failed"
        ? `${ending.reason}: ${ending.error}`
        : (ending.reason ?? "cancelled"),
};

/** What an event says, never longer than a line or two. */
export function say(event: Event): string {
  const saying = SAYINGS[event.kind] as ((data: unknown) => string) | undefined;
  try {
    return (saying ? saying(event.data) : brief(event.data)).replace(/\s+/g, " ").slice(0, 400);
  } catch {
    // An older or newer program wrote it: whatever it says is better than nothing.
    return brief(event.data);
  }
}

/** How an event went, where it went somehow. */
export function statusOf(event: Event): string | undefined {
  switch (event.kind) {
    case "model_called":
      return went(event.data.reply) ? "done" : "failed";
    case "tool_called":
      return went(event.data.result) ? "done" : event.data.result.err.error === "in_doubt" ? "in_doubt" : "failed";
    case "step_finished":
      return event.data.outcome.outcome === "failed" && event.data.outcome.in_doubt
        ? "in_doubt"
        : event.data.outcome.outcome;
    case "intent_settled":
      return event.data.settlement.outcome;
    case "finished":
      return event.data.ending.status;
    case "waiting":
      return "waiting";
    case "plan_refused":
      return "failed";
    default:
      return undefined;
  }
}

export function trouble(error: Trouble): string {
  return [words(error.error), error.detail].filter(Boolean).join(": ");
}

export function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function replied(reply: { text?: string; calls?: { name: string }[] }): string {
  const calls = reply.calls?.map((call) => call.name.replaceAll("__", ".")).join(", ");
  return [reply.text, calls && `calls ${calls}`].filter(Boolean).join(" · ") || "nothing";
}

function nth(attempt: number): string {
  return attempt > 1 ? `, attempt ${attempt}` : "";
}
