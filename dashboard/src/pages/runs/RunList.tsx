import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { Run } from "../../api/types";
import styles from "./RunList.module.css";
import { RunRow } from "./RunRow";

type Props = { runs: Run[]; cursor: number; total: number; onEnd: () => void; loading: boolean };

/** As many runs as there are; only those in sight are drawn. */
export function RunList({ runs, cursor, total, onEnd, loading }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const narrow = typeof window !== "undefined" && window.matchMedia("(max-width: 720px)").matches;
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (narrow ? 64 : 40),
    overscan: 10,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= runs.length - 20) onEnd();
  }, [last, runs.length]);
  useEffect(() => {
    if (cursor >= 0) rows.scrollToIndex(cursor, { align: "auto" });
  }, [cursor]);
  return (
    <div className={styles.list} role="table" aria-label="Runs" aria-rowcount={total}>
      <div className={styles.head} role="row">
        {["Status", "Request", "Way", "Took", "Cost", "Asked"].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div ref={frame} className={styles.frame} role="rowgroup" tabIndex={-1}>
        <div className={styles.all} style={{ height: rows.getTotalSize() }}>
          {items.map((item) => {
            const run = runs[item.index];
            return (
              run && (
                <RunRow key={run.run} run={run} top={item.start} here={item.index === cursor} nth={item.index + 1} />
              )
            );
          })}
        </div>
        {loading && <p className={styles.more}>More are on their way.</p>}
      </div>
    </div>
  );
}
