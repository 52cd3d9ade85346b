import { Problem } from "../api/client";
import { Button } from "./Button";
import styles from "./Failing.module.css";
import { SafeText } from "./SafeText";

/** Something could not be had, in the server's words. */
export function Failing({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <div className={styles.failing} role="alert">
      <div>
        <p className={styles.title}>{titleOf(error)}</p>
        <p className={styles.words}>
          <SafeText text={error instanceof Error ? error.message : String(error)} />
        </p>
      </div>
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  );
}

function titleOf(error: unknown): string {
  if (!(error instanceof Problem)) return "This could not be shown.";
  if (error.status === 404) return "There is no such thing.";
  if (error.status === 403) return "This is not yours to see or do.";
  if (error.status === 0) return "The server is away.";
  return "The server refused.";
}
