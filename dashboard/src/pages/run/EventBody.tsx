import { went, type Event } from "../../ledger/events";
import { trouble } from "../../ledger/say";
import { agentOf } from "../../ledger/state";
import { Facts } from "../../parts/Facts";
import { Json } from "../../parts/Json";
import { SafeText } from "../../parts/SafeText";
import { count, duration, money } from "../../words/format";
import { Arguments } from "./Arguments";
import { Block, Brought } from "./Block";
import type { Inspected } from "./Inspector";
import { IntentBlock } from "./IntentBlock";
import styles from "./Inspector.module.css";
import { Heeded } from "./Heeded";
import { Prompt } from "./Prompt";
import { Signals } from "./Signals";

/** What there is to see of an event, by its kind. */
export function EventBody({ event, state, events, onSelect }: Inspected & { event: Event }) {
  switch (event.kind) {
    case "model_called": {
      const { component, model, reply, millis } = event.data;
      const forged = agentOf(state, event);
      const usage = went(reply) ? reply.ok.usage : undefined;
      return (
        <>
          <Facts
            facts={[
              ["Asked by", component],
              ["Model", model],
              ["Took", duration(millis)],
              ["Tokens", usage && `${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`],
              ["Cost", usage && money(usage.cost)],
            ]}
          />
          {went(reply) ? (
            <>
              {reply.ok.text && (
                <Block title="It said">
                  <Brought value={parsed(reply.ok.text)} />
                </Block>
              )}
              {reply.ok.calls?.map((call) => (
                <Block key={call.id} title={`It calls ${call.name.replaceAll("__", ".")}`}>
                  <Brought value={call.arguments} />
                </Block>
              ))}
            </>
          ) : (
            <Block title="What went wrong">
              <Brought value={trouble(reply.err)} />
            </Block>
          )}
          {forged ? (
            <Block title="What it was told">
              <Prompt prompt={forged.data.prompt} guidelines={state.guidelines} />
            </Block>
          ) : (
            <Heeded component={component} guidelines={state.guidelines} />
          )}
        </>
      );
    }
    case "tool_called":
      return (
        <>
          <Facts
            facts={[
              ["Tool", <code key="tool">{event.data.tool}</code>],
              ["Took", duration(event.data.millis)],
            ]}
          />
          <Block title="Called with">
            <Arguments event={event} value={event.data.arguments} state={state} events={events} />
          </Block>
          <Block title={went(event.data.result) ? "Brought" : "What went wrong"}>
            <Brought value={went(event.data.result) ? event.data.result.ok : trouble(event.data.result.err)} />
          </Block>
        </>
      );
    case "intent_declared":
      return <IntentBlock intent={event.data.intent.key} state={state} events={events} />;
    case "intent_sent":
    case "intent_settled":
      return <IntentBlock intent={event.data.intent} state={state} events={events} />;
    case "forged":
      return (
        <>
          <Facts
            facts={[
              ["Agent", event.data.agent],
              ["Tools", event.data.tools.join(", ") || "none"],
              ["Turns", event.data.max_iterations],
            ]}
          />
          <Block title="What it was told">
            <Prompt prompt={event.data.prompt} guidelines={state.guidelines} />
          </Block>
        </>
      );
    case "routed":
      return (
        <>
          <p>
            <SafeText text={event.data.why} />
          </p>
          {event.data.judgement && (
            <Block title="What it rests on">
              <Signals signals={event.data.judgement.signals ?? []} />
              <Json value={event.data.judgement.parts} open={2} />
            </Block>
          )}
        </>
      );
    case "step_started":
    case "step_finished":
      return (
        <>
          <button type="button" className={styles.plain} onClick={() => onSelect({ step: event.data.step })}>
            Look at step {event.data.step}
          </button>
          {event.kind === "step_finished" && (
            <Block title={event.data.outcome.outcome === "done" ? "Brought" : "Why"}>
              <Brought
                value={event.data.outcome.outcome === "done" ? event.data.outcome.output : event.data.outcome.reason}
              />
            </Block>
          )}
        </>
      );
    default:
      return <Json value={event.data} open={3} />;
  }
}

/** Planners and critics answer with JSON, which is read more easily as a tree. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
