import { useLocation, useRoute } from "wouter";
import type { Shelf } from "../../api/library";
import { PageHeader } from "../../parts/PageHeader";
import { Tabs } from "../../parts/Tabs";
import { Shelved } from "./Shelved";

const SHELVES = [
  { id: "agents", label: "Agents" },
  { id: "cohorts", label: "Cohorts" },
  { id: "skills", label: "Skills" },
] as const;

/** What worked is kept and used again: agents, teams of them, and plans that need no planner. */
export default function Agents() {
  const [location, go] = useLocation();
  const [, params] = useRoute("/:shelf/:name?");
  const shelf = SHELVES.find((one) => location.startsWith(`/${one.id}`))?.id ?? "agents";
  return (
    <>
      <PageHeader title="Agents and cohorts" sub="What worked is kept, found again by what it is for, and used as it is or adapted.">
        <Tabs<Shelf> label="What is kept" tabs={[...SHELVES]} value={shelf} onChange={(id) => go(`/${id}`)} />
      </PageHeader>
      <div role="tabpanel" aria-labelledby={`tab-${shelf}`}>
        <Shelved key={shelf} shelf={shelf} selected={params?.name} />
      </div>
    </>
  );
}
