import { memo } from "react";
import type { Event } from "../../ledger/events";
import { say, statusOf } from "../../ledger/say";
import { SafeText } from "../../parts/SafeText";
import { StatusMark } from "../../parts/Status";
import { duration, words } from "../../words/format";
import styles from "./EventRow.module.css";

type Props = {
  event: Event;
  start: number;
  top: number;
  selected: boolean;
  nth: number;
  size: number;
  onSelect: (seq: number) => void;
};

export const EventRow = memo(function EventRow({ event, start, top, selected, nth, size, onSelect }: Props) {
  const status = statusOf(event);
  return (
    <div
      id={`event-${event.seq}`}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      role="option"
      aria-selected={selected}
      aria-posinset={nth}
      aria-setsize={size}
      onClick={() => onSelect(event.seq)}
    >
      <span className={styles.seq}>{event.seq}</span>
      <span className={styles.at}>+{duration(Date.parse(event.at) - start)}</span>
      <span className={styles.kind}>
        {status && <StatusMark status={status} />}
        {words(event.kind)}
      </span>
      <span className={styles.says}>
        <SafeText text={say(event)} />
      </span>
    </div>
  );
});
