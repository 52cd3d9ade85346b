import { useDeferredValue } from "react";
import { Link, useSearch } from "wouter";
import { useFound, useItems, type Item, type Shelf } from "../../api/library";
import { useListKeys } from "../../keys/listKeys";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Empty } from "../../parts/Empty";
import { Check } from "../../parts/Field";
import { SafeText } from "../../parts/SafeText";
import { Search } from "../../parts/Search";
import { Split } from "../../parts/Split";
import { Status } from "../../parts/Status";
import { Table, type Column } from "../../parts/Table";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import { share } from "../../words/format";
import styles from "./Agents.module.css";
import { ItemPage } from "./ItemPage";
import { record } from "./kept";

const EMPTY: Record<Shelf, string> = {
  agents: "An agent is kept when a team is put together, with the run that made it.",
  cohorts: "A team is kept when a run with two agents or more went well.",
  skills: "A plan that worked several times with the same tools becomes a skill.",
};

/** One shelf of the library: everything on it, what fits some words, and one thing beside the list. */
export function Shelved({ shelf, selected }: { shelf: Shelf; selected?: string }) {
  const search = useSearch();
  const address = useAddress();
  const q = address.get("q") ?? "";
  const all = address.get("all") === "true";
  const items = useItems(shelf, { active: all ? undefined : true });
  const found = useFound(shelf, useDeferredValue(q));
  const query = search ? `?${search}` : "";
  const place = (name: string) => `/${shelf}/${name}${query}`;

  const kept = items.data?.pages.flatMap((page) => page.items) ?? [];
  const scores = new Map((q ? (found.data?.found ?? []) : []).map((one) => [one.name, one]));
  const rows = q ? kept.filter((one) => scores.has(one.name)).toSorted((a, b) => scores.get(b.name)!.score - scores.get(a.name)!.score) : kept;
  useListKeys(shelf, rows.map((one) => place(one.name)), rows.findIndex((one) => one.name === selected));
  const columns: Column<Item>[] = [
    {
      id: "name",
      head: "Name",
      cell: (one) => (
        <>
          <Link href={place(one.name)} className="mono">
            {one.name}
          </Link>
          <p className="quiet">
            <SafeText text={scores.get(one.name)?.why ?? one.description} />
          </p>
        </>
      ),
    },
    ...(q ? [{ id: "score", head: "Fits", number: true, cell: (one: Item) => share(scores.get(one.name)?.score ?? 0) }] : []),
    { id: "active", head: "Offered", cell: (one) => <Status status={one.active ? "active" : "inactive"} word={one.active ? "yes" : "no"} plain /> },
    { id: "version", head: "Version", number: true, wide: true, cell: (one) => `${one.version} of ${one.versions}` },
    { id: "record", head: "Uses", number: true, wide: true, cell: (one) => record(one.record) },
    { id: "last", head: "Last used", number: true, wide: true, cell: (one) => (one.record.last ? <When at={one.record.last} /> : "–") },
  ];
  return (
    <Split
      back={`All ${shelf}`}
      backTo={`/${shelf}${query}`}
      list={
        <div className={styles.stack}>
          <div className={styles.filters}>
            <Search label="What is it to do?" value={q} onChange={(text) => address.set({ q: text })} />
            <Check label="Also those that are not offered" checked={all} onChange={(event) => address.set({ all: event.target.checked ? "true" : "" })} />
          </div>
          <Asked
            query={items}
            nothing={() => rows.length === 0}
            empty={q ? <Empty title="Nothing fits." /> : <Empty title="Nothing is kept yet.">{EMPTY[shelf]}</Empty>}
          >
            {() => <Table label={shelf} columns={selected ? columns.slice(0, 1) : columns} rows={rows} id={(one) => one.name} to={(one) => place(one.name)} selected={selected} />}
          </Asked>
          {items.hasNextPage && !q && (
            <div>
              <Button busy={items.isFetchingNextPage} onClick={() => void items.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </div>
      }
    >
      {selected && <ItemPage key={selected} shelf={shelf} name={selected} />}
    </Split>
  );
}
