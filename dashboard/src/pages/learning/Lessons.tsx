import { Link } from "wouter";
import { useLessons, type Lesson } from "../../api/lessons";
import { useListKeys } from "../../keys/listKeys";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Select } from "../../parts/Field";
import { Split } from "../../parts/Split";
import { Status } from "../../parts/Status";
import { Table, type Column } from "../../parts/Table";
import { Ticked } from "../../parts/Ticked";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import { byTurn, points, STAGES } from "./learnt";
import { LessonPage } from "./LessonPage";
import styles from "./Learning.module.css";

const COLUMNS: Column<Lesson>[] = [
  { id: "text", head: "What it says", cell: (one) => <Link href={`/learning/lessons/${one.id}`}><Ticked text={one.text} /></Link> },
  { id: "status", head: "Stands", cell: (one) => <Status status={one.status} plain /> },
  { id: "agent", head: "To", wide: true, cell: (one) => [one.agent, one.problem].filter(Boolean).join(", ") },
  { id: "seen", head: "Seen", number: true, wide: true, cell: (one) => points(one.pattern.evidence.effect) },
  { id: "effect", head: "Measured", number: true, wide: true, cell: (one) => (one.effect ? points(one.effect.estimate) : "–") },
  { id: "changed", head: "Since", number: true, wide: true, cell: (one) => <When at={one.changed_at} /> },
];

/** Points that were learnt, and how far each has come. */
export function Lessons({ selected }: { selected?: string }) {
  const lessons = useLessons();
  const address = useAddress();
  const status = address.get("status") ?? "";
  const rows = byTurn(lessons.data?.lessons ?? []).filter((one) => !status || one.status === status);
  const place = (one: Lesson) => `/learning/lessons/${one.id}${status ? `?status=${status}` : ""}`;
  useListKeys("Lessons", rows.map(place), rows.findIndex((one) => one.id === selected));
  return (
    <Asked query={lessons} nothing={(found) => found.lessons.length === 0 && !selected} empty={<Empty title="Nothing was learnt yet." />}>
      {() => (
        <Split
          back="All lessons"
          backTo="/learning/lessons"
          list={
            <div className={styles.stack}>
              <div className={styles.narrow}>
                <Select
                  bare
                  label="Where they stand"
                  value={status}
                  onChange={(event) => address.set({ status: event.target.value })}
                  options={[{ value: "", label: "All lessons" }, ...STAGES.map((stage) => ({ value: stage.id, label: stage.title }))]}
                />
              </div>
              <Table
                label="Lessons"
                columns={selected ? COLUMNS.slice(0, 2) : COLUMNS}
                rows={rows}
                id={(one) => one.id}
                to={place}
                selected={selected}
              />
            </div>
          }
        >
          {selected && <LessonPage key={selected} id={selected} />}
        </Split>
      )}
    </Asked>
  );
}
