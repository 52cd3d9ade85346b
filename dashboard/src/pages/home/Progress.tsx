import type { Event } from "../../ledger/events";
import { doing, stages } from "../../ledger/progress";
import { StatusMark } from "../../parts/Status";
import styles from "./Progress.module.css";

/** How far a run is, in one line. */
export function Progress({ events, over }: { events: Event[]; over: boolean }) {
  return (
    <div className={styles.progress} role="status">
      <ol className={styles.stages}>
        {stages(events).map((stage) => (
          <li key={stage.id} data-status={stage.status}>
            <StatusMark status={stage.status} />
            {stage.label}
          </li>
        ))}
      </ol>
      {!over && <span className={styles.doing}>{doing(events)}</span>}
    </div>
  );
}
