import type { Event } from "../../ledger/events";
import { sourced } from "../../ledger/provenance";
import type { RunState } from "../../ledger/state";
import { Json } from "../../parts/Json";
import { SafeText } from "../../parts/SafeText";
import styles from "./Arguments.module.css";

/** What something was called with, and where each argument comes from. */
export function Arguments({
  event,
  value,
  state,
  events,
}: {
  event: Event;
  value: unknown;
  state: RunState;
  events: Event[];
}) {
  const all = sourced(event, value, state, events);
  if (all.length === 0) return <p className="quiet">None.</p>;
  return (
    <dl className={styles.arguments}>
      {all.map(({ name, value, origins }) => (
        <div key={name}>
          {name && <dt>{name}</dt>}
          <dd>
            {typeof value === "string" ? <SafeText text={value} /> : <Json value={value} />}
            <ul>
              {origins.map((origin) => (
                <li key={origin.says} className={styles.origin} data-kind={origin.kind}>
                  <SafeText text={origin.says} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
