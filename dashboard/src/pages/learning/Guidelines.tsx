import { Link } from "wouter";
import { useGuidelines, type Guideline } from "../../api/guidelines";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Split } from "../../parts/Split";
import { Table, type Column } from "../../parts/Table";
import { When } from "../../parts/When";
import { GuidelinePage } from "./GuidelinePage";

const COLUMNS: Column<Guideline>[] = [
  { id: "agent", head: "Agent", cell: (one) => <Link href={`/learning/guidelines/${one.agent}`}>{one.agent}</Link> },
  { id: "version", head: "Version", cell: (one) => <span className="mono">{one.version}</span> },
  { id: "points", head: "Points", number: true, cell: (one) => one.points.length },
  { id: "learnt", head: "Learnt", number: true, wide: true, cell: (one) => one.points.filter((point) => point.lesson).length },
  { id: "at", head: "Since", number: true, wide: true, cell: (one) => <When at={one.at} /> },
];

/** What agents are told now. */
export function Guidelines({ selected }: { selected?: string }) {
  const guidelines = useGuidelines();
  return (
    <Asked
      query={guidelines}
      nothing={(found) => found.guidelines.length === 0 && !selected}
      empty={<Empty title="No agent is told anything yet.">Points come from lessons that are promoted, or from files that you import.</Empty>}
    >
      {(found) => (
        <Split
          back="All guidelines"
          backTo="/learning/guidelines"
          list={
            <Table
              label="Guidelines"
              columns={selected ? COLUMNS.slice(0, 3) : COLUMNS}
              rows={found.guidelines}
              id={(one) => one.agent}
              to={(one) => `/learning/guidelines/${one.agent}`}
              selected={selected}
            />
          }
        >
          {selected && <GuidelinePage key={selected} agent={selected} />}
        </Split>
      )}
    </Asked>
  );
}
