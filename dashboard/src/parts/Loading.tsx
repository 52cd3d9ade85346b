import styles from "./Loading.module.css";

/** Lines where something will be. Invisible for a moment, so that what is quick does not flicker. */
export function Loading({ lines = 4, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={styles.line} style={{ width: `${88 - ((at * 37) % 45)}%` }} />
      ))}
    </div>
  );
}
