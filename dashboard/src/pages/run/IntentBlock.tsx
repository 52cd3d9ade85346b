import type { Event } from "../../ledger/events";
import type { RunState } from "../../ledger/state";
import { Facts } from "../../parts/Facts";
import { Json } from "../../parts/Json";
import { Status } from "../../parts/Status";
import { Arguments } from "./Arguments";
import { Block } from "./Block";

/** A write to the world: what is wanted, and how far it is. */
export function IntentBlock({ intent, state, events }: { intent: string; state: RunState; events: Event[] }) {
  const known = state.intents.get(intent);
  const declared = events.find((event) => event.kind === "intent_declared" && event.data.intent.key === intent);
  if (!known || !declared) return <p className="quiet">Nothing more is known about this write.</p>;
  return (
    <>
      <Facts
        facts={[
          ["Tool", <code key="tool">{known.tool}</code>],
          ["State", <Status key="state" status={known.status} />],
          ["Sent", known.attempts > 0 && `${known.attempts} ${known.attempts === 1 ? "time" : "times"}`],
          ["Priority", known.priority],
        ]}
      />
      <Block title="Written with">
        <Arguments event={declared} value={known.arguments} state={state} events={events} />
      </Block>
      {known.detail !== undefined && (
        <Block title="What became of it">
          <Json value={known.detail} open={3} />
        </Block>
      )}
    </>
  );
}
