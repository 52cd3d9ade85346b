import { Link } from "wouter";
import { pairs } from "../../ledger/compare";
import type { RunState, StepState } from "../../ledger/state";
import { Empty } from "../../parts/Empty";
import { Status } from "../../parts/Status";
import { Table } from "../../parts/Table";
import { duration } from "../../words/format";

/** What each step became in both runs. */
export function ComparedSteps({ a, b, runA, runB }: { a: RunState; b: RunState; runA: string; runB: string }) {
  const rows = pairs(a, b);
  if (rows.length === 0) return <Empty title="Neither of them has a plan." />;
  const cell = (step: StepState | "missing" | undefined, run: string, id: string) =>
    step === "missing" ? (
      <span className="quiet">not in the plan</span>
    ) : (
      <Link href={`/runs/${run}?step=${id}`}>
        <Status status={step?.status ?? "pending"} plain /> <span className="quiet">{took(step)}</span>
      </Link>
    );
  return (
    <Table
      label="Steps of both runs"
      rows={rows}
      id={(pair) => pair.id}
      columns={[
        { id: "step", head: "Step", cell: (pair) => <strong>{pair.id}</strong> },
        { id: "a", head: "A", cell: (pair) => cell(pair.a, runA, pair.id) },
        { id: "b", head: "B", cell: (pair) => cell(pair.b, runB, pair.id) },
      ]}
    />
  );
}

function took(step: StepState | undefined): string {
  const last = step?.attempts.at(-1);
  return last?.from && last.to ? duration(Date.parse(last.to) - Date.parse(last.from)) : "";
}
