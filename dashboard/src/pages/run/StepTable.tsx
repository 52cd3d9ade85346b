import { isAgent, type Plan } from "../../ledger/plan";
import type { RunState, StepState } from "../../ledger/state";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { Table } from "../../parts/Table";
import { duration } from "../../words/format";

type Props = { plan: Plan; state: RunState; selected?: string; onSelect: (step: string) => void };

/** The steps of a plan as a list: what the graph shows, for those who read. */
export function StepTable({ plan, state, selected, onSelect }: Props) {
  return (
    <Table
      label="Steps"
      rows={plan.steps}
      id={(step) => step.id}
      selected={selected ?? ""}
      onSelect={(step) => onSelect(step.id)}
      columns={[
        { id: "step", head: "Step", cell: (step) => <strong>{step.id}</strong> },
        { id: "goal", head: "For", cell: (step) => <SafeText text={step.goal ?? ""} /> },
        {
          id: "how",
          head: "How",
          wide: true,
          cell: (step) => <code>{isAgent(step) ? (step.agent ?? "an agent") : step.tool}</code>,
        },
        { id: "state", head: "State", cell: (step) => <StepStatus state={state} step={step.id} /> },
        { id: "took", head: "Took", number: true, cell: (step) => took(state.steps.get(step.id)) },
      ]}
    />
  );
}

function StepStatus({ state, step }: { state: RunState; step: string }) {
  const now = state.steps.get(step);
  return now || !state.leftToAgent ? (
    <Status status={now?.status ?? "pending"} plain />
  ) : (
    <span className="quiet">left to the agent</span>
  );
}

function took(step: StepState | undefined): string {
  const last = step?.attempts.at(-1);
  const again = step && step.attempts.length > 1 ? `, ${step.attempts.length} attempts` : "";
  return last?.from && last.to ? duration(Date.parse(last.to) - Date.parse(last.from)) + again : "";
}
