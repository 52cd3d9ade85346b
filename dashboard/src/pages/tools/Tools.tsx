import { Link, useRoute, useSearch } from "wouter";
import { useTools, type Tool } from "../../api/tools";
import { useListKeys } from "../../keys/listKeys";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Select } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { PageHeader } from "../../parts/PageHeader";
import { Search } from "../../parts/Search";
import { Section } from "../../parts/Section";
import { Split } from "../../parts/Split";
import { Table, type Column } from "../../parts/Table";
import { useAddress } from "../../words/address";
import { count, duration, share } from "../../words/format";
import { EffectMark } from "./EffectMark";
import { byDomain, EFFECTS, fits } from "./shelf";
import { ToolDetail } from "./ToolDetail";
import styles from "./Tools.module.css";

const COLUMNS: Column<Tool>[] = [
  {
    id: "name",
    head: "Tool",
    cell: (tool) => (
      <>
        <Link href={`/tools/${tool.name}`} className="mono">
          {tool.name}
        </Link>
        <p className={styles.what}>{tool.description}</p>
      </>
    ),
  },
  { id: "effect", head: "Effect", width: "110px", cell: (tool) => <EffectMark tool={tool} /> },
  { id: "source", head: "From", wide: true, width: "120px", cell: (tool) => tool.source },
  { id: "calls", head: "Calls", wide: true, number: true, width: "72px", cell: (tool) => (tool.record ? count(tool.record.calls) : "–") },
  { id: "failed", head: "Failed", wide: true, number: true, width: "72px", cell: (tool) => (tool.record ? share(tool.record.failures / Math.max(tool.record.calls, 1)) : "–") },
  { id: "p95", head: "95 in 100 within", wide: true, number: true, width: "136px", cell: (tool) => (tool.record ? duration(tool.record.p95_ms) : "–") },
];

/** What can be called, by domain, and one tool beside the list. */
export default function Tools() {
  const [, params] = useRoute("/tools/:name");
  const search = useSearch();
  const query = search ? `?${search}` : "";
  const address = useAddress();
  const tools = useTools();
  const q = address.get("q") ?? "";
  const effect = address.get("effect") ?? "";
  const selected = params?.name;
  const order = byDomain((tools.data?.tools ?? []).filter((tool) => fits(tool, q, effect))).flatMap(([, group]) => group);
  useListKeys("Tools", order.map((tool) => `/tools/${tool.name}${query}`), order.findIndex((tool) => tool.name === selected));
  return (
    <>
      <PageHeader title="Tools" sub="What agents can call, and what that does to the world." />
      <Asked query={tools} nothing={(found) => found.tools.length === 0} empty={<Empty title="There are no tools." />}>
        {(found) => {
          const shown = found.tools.filter((tool) => fits(tool, q, effect));
          const held = found.tools.filter((tool) => tool.quarantined);
          return (
            <Split
              back="All tools"
              backTo={`/tools${query}`}
              list={
                <div className={styles.stack}>
                  {held.length > 0 && !selected && (
                    <Notice title={`${held.length === 1 ? "A tool has" : `${held.length} tools have`} changed and may not be called.`}>
                      {held.map((tool) => tool.name).join(", ")}
                    </Notice>
                  )}
                  <div className={styles.filters}>
                    <Search label="Find a tool" value={q} onChange={(text) => address.set({ q: text })} />
                    <Select bare label="Effect" value={effect} onChange={(event) => address.set({ effect: event.target.value })} options={[{ value: "", label: "Any effect" }, ...EFFECTS]} />
                    <span className="quiet">{count(shown.length)} of {count(found.tools.length)}</span>
                  </div>
                  {shown.length === 0 && <Empty title="Nothing fits." />}
                  {byDomain(shown).map(([domain, group]) => (
                    <div key={domain} className={[styles.group, selected ? styles.bare : ""].join(" ")}>
                      <Section title={domain}>
                        <Table label={domain} columns={selected ? COLUMNS.slice(0, 1) : COLUMNS} rows={group} id={(tool) => tool.name} to={(tool) => `/tools/${tool.name}${query}`} selected={selected} />
                      </Section>
                    </div>
                  ))}
                </div>
              }
            >
              {selected && <ToolDetail key={selected} name={selected} />}
            </Split>
          );
        }}
      </Asked>
    </>
  );
}
