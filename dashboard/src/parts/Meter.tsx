import type { Tone } from "./Status";
import styles from "./Meter.module.css";

type Props = { label: string; /** From 0 to 1. */ share: number; tone?: Tone; /** A place on the way that matters, from 0 to 1. */ mark?: number };

/** A share as a bar. What it says in numbers stands beside it. */
export function Meter({ label, share, tone = "accent", mark }: Props) {
  const part = Math.min(Math.max(share, 0), 1);
  return (
    <svg className={styles.meter} role="img" aria-label={label} viewBox="0 0 100 8" preserveAspectRatio="none">
      <rect width="100" height="8" fill="var(--idle-soft)" />
      <rect width={part * 100} height="8" fill={`var(--${tone})`} />
      {mark !== undefined && <rect x={Math.min(mark, 0.995) * 100} width="0.6" height="8" fill="var(--text)" />}
    </svg>
  );
}
