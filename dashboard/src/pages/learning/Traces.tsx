import { Link } from "wouter";
import { useTraces, type TraceRow } from "../../api/traces";
import { useListKeys } from "../../keys/listKeys";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Empty } from "../../parts/Empty";
import { Select } from "../../parts/Field";
import { Search } from "../../parts/Search";
import { Split } from "../../parts/Split";
import { Status } from "../../parts/Status";
import { Table, type Column } from "../../parts/Table";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import { count, shortId } from "../../words/format";
import { TracePage } from "./TracePage";
import styles from "./Learning.module.css";

const COLUMNS: Column<TraceRow>[] = [
  { id: "id", head: "Trace", cell: (one) => <Link href={`/learning/traces/${one.id}`} className="mono">{shortId(one.id)}</Link> },
  { id: "outcome", head: "Ended", cell: (one) => <Outcome trace={one} /> },
  { id: "agent", head: "Agent", cell: (one) => one.agent },
  { id: "problem", head: "Problem", wide: true, cell: (one) => one.problem },
  { id: "calls", head: "Calls", number: true, wide: true, cell: (one) => count(one.calls) },
  { id: "failures", head: "Failed", number: true, wide: true, cell: (one) => count(one.failures) },
  { id: "source", head: "From", wide: true, cell: (one) => <span className="mono">{one.source}</span> },
  { id: "standing", head: "Counts as", wide: true, cell: (one) => one.standing },
  { id: "at", head: "Began", number: true, wide: true, cell: (one) => <When at={one.started_at} /> },
];

function Outcome({ trace }: { trace: TraceRow }) {
  if (trace.success == null) return <Status status={trace.ended_at ? "pending" : "running"} word={trace.ended_at ? "nobody knows" : "running"} plain />;
  return <Status status={trace.success ? "completed" : "failed"} word={trace.success ? "success" : "failure"} plain />;
}

/** What agents did, ours and others': what is learnt from. */
export function Traces({ selected }: { selected?: string }) {
  const address = useAddress();
  const agent = address.get("agent") ?? "";
  const success = address.get("success") ?? "";
  const traces = useTraces({ agent: agent || undefined, success: success || undefined });
  const rows = traces.data?.pages.flatMap((page) => page.traces) ?? [];
  useListKeys("Traces", rows.map((one) => `/learning/traces/${one.id}`), rows.findIndex((one) => one.id === selected));
  return (
    <Split
      back="All traces"
      backTo="/learning/traces"
      list={
        <div className={styles.stack}>
          <div className={styles.filters}>
            <Search label="Only of this agent" value={agent} onChange={(text) => address.set({ agent: text })} />
            <Select
              bare
              label="How they ended"
              value={success}
              onChange={(event) => address.set({ success: event.target.value })}
              options={[{ value: "", label: "However they ended" }, { value: "true", label: "Successes" }, { value: "false", label: "Failures" }]}
            />
          </div>
          <Asked query={traces} nothing={() => rows.length === 0} empty={<Empty title="No traces.">Other agents send theirs over OpenTelemetry or HTTP.</Empty>}>
            {(found) => (
              <>
                <Table label="Traces" columns={selected ? COLUMNS.slice(0, 3) : COLUMNS} rows={rows} id={(one) => one.id} to={(one) => `/learning/traces/${one.id}`} selected={selected} />
                <p className="quiet">
                  {count(rows.length)} of {count(found.pages[0]?.total ?? rows.length)}
                </p>
              </>
            )}
          </Asked>
          {traces.hasNextPage && (
            <div className={styles.narrow}>
              <Button busy={traces.isFetchingNextPage} onClick={() => void traces.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </div>
      }
    >
      {selected && <TracePage key={selected} id={selected} />}
    </Split>
  );
}
