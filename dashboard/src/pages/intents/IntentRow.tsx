import type { Intent } from "../../api/intents";
import { Id } from "../../parts/Id";
import { Json } from "../../parts/Json";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { ToolNames } from "../../parts/ToolNames";
import { When } from "../../parts/When";
import { plural } from "../../words/format";
import { settledWords } from "./doubt";
import styles from "./Intents.module.css";

/** One write: what, with which arguments, how it stands and in which run. */
export function IntentRow({ intent }: { intent: Intent }) {
  const words = settledWords(intent);
  return (
    <li className={[styles.row, intent.status === "unknown" ? styles.loud : ""].join(" ")}>
      <Status status={intent.status} />
      <div className={styles.what}>
        <ToolNames names={[intent.tool]} />
        {words && (
          <p>
            <SafeText text={words} />
          </p>
        )}
        <details>
          <summary>Arguments{intent.settlement ? " and what came of it" : ""}</summary>
          <Json value={intent.settlement ? { arguments: intent.arguments, settlement: intent.settlement } : intent.arguments} />
        </details>
      </div>
      <p className={styles.where}>
        <Id id={intent.run} />
        <span className="quiet">
          {intent.step && `${intent.step} · `}
          {plural(intent.attempts, "attempt")} · <When at={intent.updated_at} />
        </span>
      </p>
    </li>
  );
}
