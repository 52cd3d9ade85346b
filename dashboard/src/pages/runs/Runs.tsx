import { useState } from "react";
import { useLocation } from "wouter";
import { useRunPages } from "../../api/runs";
import { useKeys } from "../../keys/keys";
import { Empty } from "../../parts/Empty";
import { Failing } from "../../parts/Failing";
import { Loading } from "../../parts/Loading";
import { PageHeader } from "../../parts/PageHeader";
import { useAddress } from "../../words/address";
import { plural } from "../../words/format";
import { filterOf, isFiltered } from "./filter";
import { Filters } from "./Filters";
import { RunList } from "./RunList";
import styles from "./Runs.module.css";
import { Strip } from "./Strip";

/** All runs, newest first. What is filtered stands in the address. */
export default function Runs() {
  const address = useAddress();
  const filter = filterOf(address.get);
  const pages = useRunPages(filter);
  const [, go] = useLocation();
  const [cursor, setCursor] = useState(-1);
  const runs = pages.data?.pages.flatMap((page) => page.runs) ?? [];
  const move = (by: number) => setCursor((at) => Math.min(Math.max(at + by, 0), runs.length - 1));
  useKeys("Runs", [
    { keys: "j", does: "next run", run: () => move(1) },
    { keys: "k", does: "run before", run: () => move(-1) },
    { keys: "Enter", does: "open the run", run: () => runs[cursor] && go(`/runs/${runs[cursor].run}`) },
    { keys: "Escape", does: "show all runs", run: () => go("/runs") },
  ]);
  const total = pages.data?.pages[0]?.total;
  return (
    <div className={styles.page}>
      <PageHeader title="Runs" sub={total === undefined ? undefined : plural(total, "run")} />
      <Filters filter={filter} onChange={address.set} />
      <Strip filter={filter} onChange={(since, until) => address.set({ since, until })} />
      {!pages.data ? (
        pages.isError ? (
          <Failing error={pages.error} again={() => void pages.refetch()} />
        ) : (
          <Loading lines={10} />
        )
      ) : runs.length === 0 ? (
        isFiltered(filter) ? (
          <Empty title="No run is like that.">Take a filter away, or press Esc to see all.</Empty>
        ) : (
          <Empty title="Nothing was asked yet.">Go home and ask for something.</Empty>
        )
      ) : (
        <RunList
          runs={runs}
          cursor={cursor}
          total={total ?? runs.length}
          onEnd={() => pages.hasNextPage && !pages.isFetchingNextPage && void pages.fetchNextPage()}
          loading={pages.isFetchingNextPage}
        />
      )}
    </div>
  );
}
