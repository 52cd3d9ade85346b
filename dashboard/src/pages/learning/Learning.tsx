import { useLocation, useRoute } from "wouter";
import { useLearn, useLearning } from "../../api/learning";
import { useOnly } from "../../api/may";
import { Button } from "../../parts/Button";
import { PageHeader } from "../../parts/PageHeader";
import { Tabs } from "../../parts/Tabs";
import { toast, toastProblem } from "../../parts/Toast";
import { plural } from "../../words/format";
import { Cycles } from "./Cycles";
import { Experiments } from "./Experiments";
import { Flow } from "./Flow";
import { Guidelines } from "./Guidelines";
import { Lessons } from "./Lessons";
import { Patterns } from "./Patterns";
import { Traces } from "./Traces";

const TABS = ["flow", "patterns", "lessons", "experiments", "guidelines", "cycles", "traces"] as const;
type Tab = (typeof TABS)[number];
const LABELS: Record<Tab, string> = {
  flow: "From pattern to guideline",
  patterns: "Patterns",
  lessons: "Lessons",
  experiments: "Experiments",
  guidelines: "Guidelines",
  cycles: "Cycles",
  traces: "Traces",
};

/** What was learnt: from what separates success from failure to what agents are told, and back. */
export default function Learning() {
  const [, go] = useLocation();
  const [, params] = useRoute("/learning/:tab/:id?");
  const tab = TABS.find((one) => one === params?.tab) ?? "flow";
  const status = useLearning().data;
  const learn = useLearn();
  const only = useOnly("editor");
  const counts: Partial<Record<Tab, number>> = status
    ? { lessons: sum(status.lessons), experiments: status.experiments.length, guidelines: status.guidelines.length, cycles: status.cycles, traces: status.traces }
    : {};
  return (
    <>
      <PageHeader
        title="Learning"
        sub="What separates success from failure becomes a sentence. It is tried on some, kept if it helps and taken back if not."
        actions={
          <Button
            icon="replay"
            busy={learn.isPending}
            onClick={() => learn.mutate(undefined, { onSuccess: (cycle) => toast(`Cycle ${cycle.cycle}: ${plural(cycle.changed.length, "change")}.`), onError: toastProblem })}
            {...only}
          >
            Learn now
          </Button>
        }
      >
        <Tabs<Tab>
          label="Learning"
          tabs={TABS.map((id) => ({ id, label: LABELS[id], count: counts[id] }))}
          value={tab}
          onChange={(id) => go(id === "flow" ? "/learning" : `/learning/${id}`)}
        />
      </PageHeader>
      <div role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "flow" && <Flow />}
        {tab === "patterns" && <Patterns selected={params?.id} />}
        {tab === "lessons" && <Lessons selected={params?.id} />}
        {tab === "experiments" && <Experiments selected={params?.id} />}
        {tab === "guidelines" && <Guidelines selected={params?.id} />}
        {tab === "cycles" && <Cycles />}
        {tab === "traces" && <Traces selected={params?.id} />}
      </div>
    </>
  );
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}
