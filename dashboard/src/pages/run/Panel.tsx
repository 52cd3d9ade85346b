import { lazy, Suspense } from "react";
import type { Event } from "../../ledger/events";
import type { RunState } from "../../ledger/state";
import { Empty } from "../../parts/Empty";
import { Loading } from "../../parts/Loading";
import { EventList } from "./EventList";
import type { Selection, TabId } from "./selection";
import { StepTable } from "./StepTable";
import { Timeline } from "./Timeline";
import { Versions } from "./Versions";

const PlanGraph = lazy(() => import("./PlanGraph"));

type Props = {
  tab: TabId;
  run: string;
  events: Event[];
  state: RunState;
  selected: Selection;
  onSelect: (to: Selection) => void;
  opening: boolean;
};

export function Panel({ tab, run, events, state, selected, onSelect, opening }: Props) {
  if (opening && events.length === 0) return <Loading lines={6} />;
  const plan = state.plans.at(-1);
  switch (tab) {
    case "plan":
      if (!plan) return <Empty title={state.ending ? "It ended without a plan." : "There is no plan yet."} />;
      return (
        <>
          <Suspense fallback={<Loading />}>
            <PlanGraph
              plan={plan.data.plan}
              state={state}
              selected={selected.step}
              onSelect={(step) => onSelect({ step })}
            />
          </Suspense>
          <StepTable
            plan={plan.data.plan}
            state={state}
            selected={selected.step}
            onSelect={(step) => onSelect({ step })}
          />
        </>
      );
    case "timeline":
      return <Timeline events={events} selected={selected} onSelect={onSelect} over={state.ending !== undefined} />;
    case "events":
      return <EventList events={events} selected={selected.event} onSelect={(event) => onSelect({ event })} />;
    case "versions":
      return <Versions run={run} plans={state.plans} />;
  }
}
