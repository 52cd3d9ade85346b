import { usePathways, type Pathway } from "../../api/routes";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Meter } from "../../parts/Meter";
import { Table, type Column } from "../../parts/Table";
import { count, duration, money, share, words } from "../../words/format";
import styles from "./Routes.module.css";

const COLUMNS: Column<Pathway>[] = [
  { id: "route", head: "Way", cell: (one) => one.route },
  { id: "strategy", head: "Strategy", wide: true, cell: (one) => words(one.strategy) },
  { id: "runs", head: "Runs", number: true, cell: (one) => count(one.runs) },
  { id: "success", head: "Went well", number: true, cell: (one) => share(one.success, 1) },
  { id: "interval", head: "Probably between", number: true, wide: true, cell: (one) => one.interval.map((end) => share(end)).join(" and ") },
  { id: "usd", head: "Cost", number: true, wide: true, cell: (one) => money(one.usd) },
  { id: "seconds", head: "Takes", number: true, wide: true, cell: (one) => duration(one.seconds * 1000) },
  {
    id: "score",
    head: "Score",
    width: "140px",
    cell: (one) => (
      <span className={styles.score}>
        <Meter label={`score ${one.score.toFixed(2)}`} share={one.score} />
        <span className="number">{one.score.toFixed(2)}</span>
      </span>
    ),
  },
];

/** What each way of dealing with a request has been worth. */
export function Pathways() {
  const pathways = usePathways();
  return (
    <Asked query={pathways} nothing={(found) => found.pathways.length === 0} empty={<Empty title="No run has ended yet." />}>
      {(found) => (
        <div className={styles.stack}>
          <p className="quiet">
            The score is the success that can be counted on, less what a run costs as a share of what a right answer is worth, {money(found.worth)}.
          </p>
          <Table label="Pathways" columns={COLUMNS} rows={found.pathways} id={(one) => `${one.route}/${one.strategy}`} />
        </div>
      )}
    </Asked>
  );
}
