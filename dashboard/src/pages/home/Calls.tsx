import { Fragment } from "react";
import { went, type Event } from "../../ledger/events";
import { brief, trouble } from "../../ledger/say";
import { SafeText } from "../../parts/SafeText";
import { StatusMark } from "../../parts/Status";
import { duration, plural } from "../../words/format";
import styles from "./Calls.module.css";

type Call = { seq: number; tool: string; says: string; status: string; ms?: number };

/** The tools that were called, folded; the newest stay in sight while it works. */
export function Calls({ events }: { events: Event[] }) {
  const calls = callsOf(events);
  if (calls.length === 0) return null;
  const over = events.at(-1)?.kind === "finished";
  const rows = (shown: Call[]) => (
    <ul className={styles.calls}>
      {shown.map((call) => (
        <li key={call.seq}>
          <StatusMark status={call.status} />
          <code>{call.tool}</code>
          <span className={styles.says}>
            <SafeText text={call.says} />
          </span>
          {call.ms !== undefined && <span className="quiet">{duration(call.ms)}</span>}
        </li>
      ))}
    </ul>
  );
  return (
    <Fragment>
      {!over && rows(calls.slice(-3))}
      {(over || calls.length > 3) && (
        <details className={styles.all}>
          <summary>{plural(calls.length, "tool call")}</summary>
          {rows(calls)}
        </details>
      )}
    </Fragment>
  );
}

function callsOf(events: Event[]): Call[] {
  const calls: Call[] = [];
  const intents = new Map<string, Call>();
  for (const event of events) {
    if (event.kind === "tool_called") {
      const { tool, result, millis } = event.data;
      const status = went(result) ? "done" : "failed";
      calls.push({
        seq: event.seq,
        tool,
        says: went(result) ? brief(result.ok) : trouble(result.err),
        status,
        ms: millis,
      });
    } else if (event.kind === "intent_declared") {
      const call = {
        seq: event.seq,
        tool: event.data.intent.tool,
        says: brief(event.data.intent.arguments),
        status: "declared",
      };
      intents.set(event.data.intent.key, call);
      calls.push(call);
    } else if (event.kind === "intent_sent" || event.kind === "intent_settled") {
      const call = intents.get(event.data.intent);
      if (call) call.status = event.kind === "intent_sent" ? "sending" : event.data.settlement.outcome;
    }
  }
  return calls;
}
