import type { Scale } from "../../ledger/scale";
import { duration } from "../../words/format";
import styles from "./TimelineAxis.module.css";

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 3e5, 6e5, 1.8e6, 3.6e6];

/** Moments of work above the bars; a fold says how long nothing happened. */
export function TimelineAxis({ axis, from }: { axis: Scale; from: number }) {
  const shown = axis.pieces.filter((piece) => !piece.folded);
  const total = shown.reduce((sum, piece) => sum + piece.to - piece.from, 0);
  const step = STEPS.find((size) => total / size <= 6) ?? total / 6;
  const ticks = shown.flatMap((piece) => {
    const first = Math.ceil((piece.from - from) / step) * step;
    const many = Math.max(Math.floor((piece.to - from - first) / step) + 1, 0);
    return Array.from({ length: Math.min(many, 12) }, (_, nth) => first + nth * step);
  });
  return (
    <div className={styles.axis} aria-hidden="true">
      <div className={styles.track}>
        {ticks
          .filter((ms) => axis.at(from + ms) < 0.94)
          .map((ms) => (
            <span key={ms} className={styles.tick} style={{ left: `${axis.at(from + ms) * 100}%` }}>
              {ms === 0 ? "0" : duration(ms)}
            </span>
          ))}
        {axis.pieces
          .filter((piece) => piece.folded)
          .map((piece) => (
            <span
              key={piece.from}
              className={styles.fold}
              style={{ left: `${piece.start * 100}%`, width: `${(piece.end - piece.start) * 100}%` }}
              title={`Nothing ran for ${duration(piece.to - piece.from)}.`}
            />
          ))}
      </div>
    </div>
  );
}
