import type { Signal } from "../../ledger/events";
import { SafeText } from "../../parts/SafeText";
import { words } from "../../words/format";
import styles from "./Signals.module.css";

/** What a decision rests on. Shares are drawn as bars, counts are said. */
export function Signals({ signals }: { signals: Signal[] }) {
  if (signals.length === 0) return null;
  return (
    <ul className={styles.signals}>
      {signals.map((signal, at) => (
        <li key={at}>
          <span className={styles.name}>{words(signal.name)}</span>
          <span className={styles.track} aria-hidden="true">
            {signal.value >= 0 && signal.value <= 1 && <span style={{ width: `${signal.value * 100}%` }} />}
          </span>
          <span className={styles.value}>
            {Number.isInteger(signal.value) ? signal.value : signal.value.toFixed(3)}
          </span>
          {signal.says && (
            <span className={styles.says}>
              <SafeText text={signal.says} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
