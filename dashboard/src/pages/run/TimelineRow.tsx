import type { Scale } from "../../ledger/scale";
import type { Bar, Row } from "../../ledger/timeline";
import { duration } from "../../words/format";
import type { Selection } from "./selection";
import styles from "./TimelineRow.module.css";

type Props = { row: Row; axis: Scale; top: number; selected: Selection; onSelect: (to: Selection) => void };

export function TimelineRow({ row, axis, top, selected, onSelect }: Props) {
  return (
    <div className={styles.row} style={{ transform: `translateY(${top}px)` }} role="listitem" aria-label={row.label}>
      <button
        type="button"
        className={styles.label}
        disabled={!row.step}
        aria-pressed={row.step ? row.step === selected.step : undefined}
        onClick={() => onSelect({ step: row.step })}
        title={row.label}
      >
        {row.again && <span className={styles.again}>↻</span>}
        {row.label}
      </button>
      <div className={styles.track}>
        {axis.pieces
          .filter((piece) => piece.folded)
          .map((piece) => (
            <span
              key={piece.from}
              className={styles.fold}
              style={{ left: `${piece.start * 100}%`, width: `${(piece.end - piece.start) * 100}%` }}
            />
          ))}
        {row.bars.map((bar) => (
          <BarButton
            key={`${bar.kind}${bar.seq}`}
            bar={bar}
            lanes={row.lanes}
            axis={axis}
            selected={bar.seq === selected.event}
            onSelect={onSelect}
          />
        ))}
      </div>
    </div>
  );
}

function BarButton({
  bar,
  lanes,
  axis,
  selected,
  onSelect,
}: {
  bar: Bar;
  lanes: number;
  axis: Scale;
  selected: boolean;
  onSelect: (to: Selection) => void;
}) {
  const [left, right] = [axis.at(bar.from), axis.at(bar.to)];
  const took = duration(bar.to - bar.from);
  const says = `${bar.label}, ${bar.status}, ${took}${bar.again ? ", tried again" : ""}`;
  return (
    <button
      type="button"
      className={styles.bar}
      data-kind={bar.kind}
      data-status={bar.status}
      data-selected={selected || undefined}
      style={{ left: `${left * 100}%`, width: `max(${(right - left) * 100}%, 3px)`, ...tall(bar, lanes) }}
      title={says}
      aria-label={says}
      onClick={() => onSelect({ event: bar.seq })}
    />
  );
}

const TOP = 9;
const ROOM = 18;

/** Lanes share the height of a row. */
function tall(bar: Bar, lanes: number) {
  if (bar.kind === "step" || lanes === 1) return {};
  const each = ROOM / lanes;
  return { top: TOP + bar.lane * each, height: Math.max(each - 1, 2) };
}
