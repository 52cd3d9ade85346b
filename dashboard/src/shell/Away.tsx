import { Problem } from "../api/client";
import { useOverview } from "../api/overview";
import styles from "./Away.module.css";

/** Says that the server does not answer, while it does not; what was seen stays. */
export function Away() {
  const { error, data } = useOverview();
  if (!(error instanceof Problem) || error.status !== 0 || !data) return null;
  return (
    <p className={styles.away} role="status">
      The server is away. What you see may be old; it is tried again.
    </p>
  );
}
