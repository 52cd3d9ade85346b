import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useAudit, type AuditEntry } from "../../api/settings";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Notice } from "../../parts/Notice";
import { SafeText } from "../../parts/SafeText";
import { When } from "../../parts/When";
import { count } from "../../words/format";
import styles from "./Settings.module.css";
import { about } from "./words";

/** What was done by whom, newest first, and whether the chain of hashes over it holds. */
export function Audit() {
  const audit = useAudit();
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Asked query={audit} nothing={() => entries.length === 0} empty={<Empty title="Nothing is on record yet." />}>
      {(found) => {
        const chain = found.pages[0]?.chain;
        return (
          <div className={styles.stack}>
            {chain &&
              (chain.holds ? (
                <Notice tone="good" title={`The chain holds: ${count(chain.entries)} entries, none changed, none missing.`} />
              ) : (
                <Notice tone="bad" title="The chain is broken.">
                  Somebody changed or removed an entry. <code>agentwright audit verify</code> says where.
                </Notice>
              ))}
            <Entries entries={entries} more={audit.hasNextPage && !audit.isFetchingNextPage ? () => void audit.fetchNextPage() : undefined} />
          </div>
        );
      }}
    </Asked>
  );
}

const ROW = 40;

/** Only what can be seen is drawn; the end of the list asks for more. */
function Entries({ entries, more }: { entries: AuditEntry[]; more?: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: entries.length, getScrollElement: () => place.current, estimateSize: () => ROW, overscan: 12, initialRect: { width: 800, height: 600 } });
  const seen = rows.getVirtualItems();
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= entries.length - 10) more?.();
  }, [last, entries.length, more]);
  return (
    <div ref={place} className={styles.audit} role="table" aria-label="Audit trail" aria-rowcount={entries.length} tabIndex={0}>
      <div style={{ height: rows.getTotalSize(), position: "relative" }} role="rowgroup">
        {seen.map((row) => {
          const entry = entries[row.index];
          return entry && <Entry key={entry.seq} entry={entry} at={row.start} />;
        })}
      </div>
    </div>
  );
}

function Entry({ entry, at }: { entry: AuditEntry; at: number }) {
  return (
    <div className={styles.entry} role="row" style={{ transform: `translateY(${at}px)` }}>
      <span role="cell" className="quiet number">
        {entry.seq}
      </span>
      <span role="cell">
        <SafeText text={entry.who} /> {entry.via && <span className="quiet">{entry.via}</span>}
      </span>
      <span role="cell" className={styles.deed}>
        <SafeText text={entry.what} /> <code><SafeText text={about(entry.on)} /></code>
      </span>
      <span role="cell" className={/^[45]|refus|fail/.test(entry.outcome) ? styles.bad : "quiet"}>
        {entry.outcome}
      </span>
      <span role="cell" className="quiet mono" title={entry.hash}>
        {entry.hash.replace("sha256:", "").slice(0, 8)}
      </span>
      <span role="cell" className="quiet number">
        <When at={entry.at} />
      </span>
    </div>
  );
}
