import type { Event } from "../../ledger/events";
import { statusOf } from "../../ledger/say";
import { Button } from "../../parts/Button";
import { Facts } from "../../parts/Facts";
import { Json } from "../../parts/Json";
import { Status } from "../../parts/Status";
import { toast } from "../../parts/Toast";
import { moment, words } from "../../words/format";
import { EventBody } from "./EventBody";
import type { Inspected } from "./Inspector";
import styles from "./Inspector.module.css";

/** One event in full. */
export function EventInspector({ event, ...rest }: Inspected & { event: Event }) {
  const at = rest.events.indexOf(event);
  const status = statusOf(event);
  const to = (by: number) => {
    const other = rest.events[at + by];
    if (other) rest.onSelect({ event: other.seq });
  };
  const link = () =>
    void navigator.clipboard
      .writeText(`${location.origin}/runs/${rest.run.run}?event=${event.seq}`)
      .then(() => toast("Copied."));
  return (
    <div className={styles.parts}>
      <header className={styles.head}>
        <h2>{words(event.kind)}</h2>
        {status && <Status status={status} />}
        <div className={styles.tools}>
          <Button look="quiet" icon="link" aria-label="Copy a link to this event" onClick={link} />
          <Button look="quiet" icon="left" aria-label="Event before" disabled={at <= 0} onClick={() => to(-1)} />
          <Button
            look="quiet"
            icon="right"
            aria-label="Next event"
            disabled={at >= rest.events.length - 1}
            onClick={() => to(1)}
          />
          <Button look="quiet" icon="close" aria-label="Select nothing" onClick={() => rest.onSelect({})} />
        </div>
      </header>
      <Facts
        facts={[
          ["Event", event.seq],
          ["At", moment(event.at)],
          ["Key", <code key="key">{event.key}</code>],
        ]}
      />
      <EventBody event={event} {...rest} />
      <details className={styles.raw}>
        <summary>As it is on record</summary>
        <Json value={event} open={2} />
      </details>
    </div>
  );
}
