import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Event } from "../../ledger/events";
import { scale } from "../../ledger/scale";
import { timeline } from "../../ledger/timeline";
import { Empty } from "../../parts/Empty";
import type { Selection } from "./selection";
import styles from "./Timeline.module.css";
import { TimelineAxis } from "./TimelineAxis";
import { TimelineRow } from "./TimelineRow";

type Props = { events: Event[]; selected: Selection; onSelect: (to: Selection) => void; over: boolean };

/** What ran when, side by side; long waits are folded. */
export function Timeline({ events, selected, onSelect, over }: Props) {
  const now = useNow(!over);
  const drawn = useMemo(() => timeline(events, now), [events, now]);
  const axis = useMemo(() => scale(drawn), [drawn]);
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: drawn.rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 36,
    overscan: 8,
  });
  if (drawn.rows.length === 0) return <Empty title="Nothing took any time yet." />;
  return (
    <div className={styles.timeline}>
      <TimelineAxis axis={axis} from={drawn.from} />
      <div ref={frame} className={styles.frame}>
        <div className={styles.all} style={{ height: rows.getTotalSize() }} role="list" aria-label="Timeline">
          {rows.getVirtualItems().map((item) => {
            const row = drawn.rows[item.index];
            return (
              row && (
                <TimelineRow
                  key={row.id}
                  row={row}
                  axis={axis}
                  top={item.start}
                  selected={selected}
                  onSelect={onSelect}
                />
              )
            );
          })}
        </div>
      </div>
      <p className={styles.legend}>
        <span data-kind="step">step</span>
        <span data-kind="model">model</span>
        <span data-kind="tool">tool</span>
        <span data-kind="intent">write</span>
        <span data-kind="wait">waiting</span>
        <span data-failed>failed</span>
        <span data-again>tried again</span>
      </p>
    </div>
  );
}

function useNow(live: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [live]);
  return now;
}
