import { useMemo } from "react";
import { useParams } from "wouter";
import { useRun } from "../../api/runs";
import { useEvents } from "../../api/stream";
import { useKeys } from "../../keys/keys";
import { fold } from "../../ledger/state";
import { Failing } from "../../parts/Failing";
import { Loading } from "../../parts/Loading";
import { Tabs } from "../../parts/Tabs";
import { Questions } from "../../questions/Questions";
import { useAddress } from "../../words/address";
import { Answer } from "./Answer";
import { Inspector } from "./Inspector";
import { Panel } from "./Panel";
import styles from "./RunDetail.module.css";
import { RunHeader } from "./RunHeader";
import { TABS, type TabId, type Selection } from "./selection";

/** Everything about one run, live. `?tab=`, `?event=` and `?step=` say what is looked at. */
export default function RunDetail() {
  const { run = "" } = useParams<{ run: string }>();
  const page = useRun(run);
  const { events, state: streaming, problem } = useEvents(run);
  const state = useMemo(() => fold(events), [events]);
  const address = useAddress();
  const tab = TABS.find((one) => one === address.get("tab")) ?? "plan";
  const selected: Selection = { event: Number(address.get("event")) || undefined, step: address.get("step") };
  const select = (to: Selection) => address.set({ event: to.event, step: to.step });
  const show = (to: TabId) => address.set({ tab: to === "plan" ? undefined : to });
  const move = (by: number) => {
    const at = events.findIndex((event) => event.seq === selected.event);
    const to = events[Math.min(Math.max(at + by, 0), events.length - 1)];
    if (to) address.set({ event: to.seq, step: undefined, tab: tab === "plan" ? "events" : tab });
  };
  useKeys("This run", [
    { keys: "j", does: "next event", run: () => move(1) },
    { keys: "k", does: "event before", run: () => move(-1) },
    { keys: "Escape", does: "select nothing", run: () => select({}) },
    ...TABS.map((one, at) => ({ keys: String(at + 1), does: `show ${one}`, run: () => show(one) })),
  ]);

  if (!page.data) {
    return page.isError ? <Failing error={page.error} again={() => void page.refetch()} /> : <Loading lines={8} />;
  }
  return (
    <div className={styles.page}>
      <RunHeader run={page.data.run} state={state} events={events} streaming={streaming} at={selected.event} />
      <Questions run={run} waits={state.waits} />
      <Answer run={page.data.run} state={state} />
      {streaming === "cut" && <Failing error={problem} />}
      <div className={styles.split}>
        <div className={styles.views}>
          <Tabs
            label="Views of the run"
            value={tab}
            onChange={show}
            tabs={[
              { id: "plan", label: "Plan" },
              { id: "timeline", label: "Timeline" },
              { id: "events", label: "Events", count: events.length },
              { id: "versions", label: "Versions", count: state.plans.length },
            ]}
          />
          <div role="tabpanel" aria-labelledby={`tab-${tab}`} className={styles.panel}>
            <Panel
              tab={tab}
              run={run}
              events={events}
              state={state}
              selected={selected}
              onSelect={select}
              opening={streaming === "opening"}
            />
          </div>
        </div>
        <Inspector run={page.data.run} events={events} state={state} selected={selected} onSelect={select} />
      </div>
    </div>
  );
}
