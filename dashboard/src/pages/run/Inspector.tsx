import type { Run } from "../../api/types";
import type { Event } from "../../ledger/events";
import type { RunState } from "../../ledger/state";
import { About } from "./About";
import { EventInspector } from "./EventInspector";
import styles from "./Inspector.module.css";
import type { Selection } from "./selection";
import { StepInspector } from "./StepInspector";

export type Inspected = { run: Run; events: Event[]; state: RunState; onSelect: (to: Selection) => void };

/** What is selected, in full; the route and what was expected, while nothing is. */
export function Inspector({ selected, ...rest }: Inspected & { selected: Selection }) {
  const event = selected.event === undefined ? undefined : rest.events.find((one) => one.seq === selected.event);
  return (
    <aside className={styles.inspector} aria-label="Inspector">
      {event ? (
        <EventInspector event={event} {...rest} />
      ) : selected.step ? (
        <StepInspector step={selected.step} {...rest} />
      ) : (
        <About state={rest.state} events={rest.events} />
      )}
    </aside>
  );
}
