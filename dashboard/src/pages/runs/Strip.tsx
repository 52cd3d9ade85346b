import { useRef, useState, type PointerEvent } from "react";
import { useHistogram, type RunFilter } from "../../api/runs";
import { Button } from "../../parts/Button";
import { moment, plural } from "../../words/format";
import styles from "./Strip.module.css";

type Props = { filter: RunFilter; onChange: (since: string | undefined, until: string | undefined) => void };

const WEEK = 7 * 86_400_000;

/** Runs over time. Dragging over bars, or `Enter` on one, shows only those; the strip then shows that stretch. */
export function Strip({ filter, onChange }: Props) {
  // To the hour, so that the same week is asked for again and again.
  const since = filter.since ?? new Date(Math.floor((Date.now() - WEEK) / 3_600_000) * 3_600_000).toISOString();
  const bars = useHistogram({ ...filter, since }).data?.bars ?? [];
  const place = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<[number, number]>();
  const [here, setHere] = useState<number>();
  const most = Math.max(1, ...bars.map((bar) => bar.runs));
  const at = (event: PointerEvent) => {
    const box = place.current?.getBoundingClientRect();
    const share = box ? (event.clientX - box.left) / box.width : 0;
    return Math.min(Math.max(Math.floor(share * bars.length), 0), bars.length - 1);
  };
  const choose = (from: number, to: number) => {
    const [first, last] = [bars[Math.min(from, to)], bars[Math.max(from, to)]];
    if (first && last) onChange(first.since, last.until);
    setDrag(undefined);
  };
  const shown = here === undefined ? undefined : bars[here];
  const [low, high] = drag ? [Math.min(...drag), Math.max(...drag)] : [-1, -2];
  return (
    <div className={styles.strip}>
      <div
        ref={place}
        className={styles.bars}
        role="slider"
        tabIndex={0}
        aria-label="Runs over time"
        aria-valuemin={0}
        aria-valuemax={Math.max(bars.length - 1, 0)}
        aria-valuenow={here ?? 0}
        aria-valuetext={
          shown
            ? `${moment(shown.since)}: ${plural(shown.runs, "run")}, ${shown.failed} failed`
            : "Use the arrows, then Enter"
        }
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag([at(event), at(event)]);
        }}
        onPointerMove={(event) => {
          setHere(at(event));
          if (drag) setDrag([drag[0], at(event)]);
        }}
        onPointerUp={() => drag && choose(...drag)}
        onPointerCancel={() => setDrag(undefined)}
        onPointerLeave={() => setHere(undefined)}
        onKeyDown={(event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (step) setHere(Math.min(Math.max((here ?? (step > 0 ? -1 : bars.length)) + step, 0), bars.length - 1));
          if (event.key === "Enter" && here !== undefined) choose(here, here);
          if (step || event.key === "Enter") event.preventDefault();
        }}
      >
        {bars.map((bar, nth) => (
          <span
            key={bar.since}
            className={styles.slot}
            data-here={nth === here || undefined}
            data-chosen={(nth >= low && nth <= high) || undefined}
          >
            <span className={styles.failed} style={{ height: `${(bar.failed / most) * 100}%` }} />
            <span className={styles.bar} style={{ height: `${((bar.runs - bar.failed) / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <div className={styles.says}>
        <span>
          {shown
            ? `${moment(shown.since)}: ${plural(shown.runs, "run")}${shown.failed ? `, ${shown.failed} failed` : ""}`
            : bars[0] && moment(bars[0].since)}
        </span>
        {filter.since ? (
          <Button look="quiet" onClick={() => onChange(undefined, undefined)}>
            Show all times
          </Button>
        ) : (
          <span>now</span>
        )}
      </div>
    </div>
  );
}
