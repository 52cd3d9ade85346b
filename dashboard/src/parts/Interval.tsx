import styles from "./Interval.module.css";

type Props = { low: number; estimate: number; high: number; /** How far the scale goes to either side. */ span?: number; label: string };

/** Where a difference probably lies: a whisker around zero. */
export function Interval({ low, estimate, high, span = 1, label }: Props) {
  const at = (value: number) => 50 + (Math.min(Math.max(value / span, -1), 1) * 100) / 2;
  const tone = low > 0 ? "good" : high < 0 ? "bad" : "idle";
  return (
    <svg className={styles.interval} role="img" aria-label={label} viewBox="0 0 100 16" preserveAspectRatio="none">
      <rect x="49.8" width="0.6" height="16" fill="var(--line-strong)" />
      <rect x={at(low)} y="6" width={Math.max(at(high) - at(low), 0.8)} height="4" fill={`var(--${tone})`} opacity="0.35" />
      <rect x={at(estimate) - 0.8} y="3" width="1.6" height="10" fill={`var(--${tone})`} />
    </svg>
  );
}
