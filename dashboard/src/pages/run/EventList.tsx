import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { FAMILIES, isKnown, type Event, type Family } from "../../ledger/events";
import { say } from "../../ledger/say";
import { Empty } from "../../parts/Empty";
import { Input, Select } from "../../parts/Field";
import { EventRow } from "./EventRow";
import styles from "./EventList.module.css";

const FAMILY_NAMES: Record<Family | "all", string> = {
  all: "All events",
  run: "The run itself",
  route: "Route",
  reasoning: "Reasoning",
  agents: "Agents",
  steps: "Steps",
  calls: "Calls of models and tools",
  intents: "Writes",
  people: "People",
};

type Props = { events: Event[]; selected?: number; onSelect: (seq: number) => void };

/** The ledger, line by line. Only what is in sight is drawn. */
export function EventList({ events, selected, onSelect }: Props) {
  const [family, setFamily] = useState<Family | "all">("all");
  const [text, setText] = useState("");
  const frame = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return events.filter(
      (event) =>
        (family === "all" || (isKnown(event.kind) && FAMILIES[event.kind] === family)) &&
        (!wanted || `${event.kind} ${event.key} ${say(event)}`.toLowerCase().includes(wanted)),
    );
  }, [events, family, text]);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 32,
    overscan: 12,
  });
  const at = shown.findIndex((event) => event.seq === selected);
  const shownOnce = useRef(false);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: shownOnce.current ? "auto" : "center" });
    shownOnce.current ||= at >= 0;
    // Only what is selected moves the list, not what arrives.
  }, [selected, at >= 0]);
  const start = events[0] ? Date.parse(events[0].at) : 0;
  return (
    <>
      <div className={styles.filters}>
        <Select
          label="Kind"
          bare
          value={family}
          onChange={(event) => setFamily(event.target.value as Family | "all")}
          options={Object.entries(FAMILY_NAMES).map(([value, label]) => ({ value, label }))}
        />
        <Input
          label="Words"
          bare
          data-search
          placeholder="Words in events"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title="No event is like that." />
      ) : (
        <div
          ref={frame}
          className={styles.frame}
          role="listbox"
          aria-label="Events"
          aria-activedescendant={at >= 0 ? `event-${selected}` : undefined}
          tabIndex={0}
          onKeyDown={(event) => {
            const to = shown[at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN)];
            if (!to) return;
            event.preventDefault();
            onSelect(to.seq);
          }}
        >
          <div className={styles.all} style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const event = shown[item.index];
              return (
                event && (
                  <EventRow
                    key={event.seq}
                    event={event}
                    start={start}
                    top={item.start}
                    selected={event.seq === selected}
                    size={shown.length}
                    nth={item.index + 1}
                    onSelect={onSelect}
                  />
                )
              );
            })}
          </div>
        </div>
      )}
    </>
  );
}
