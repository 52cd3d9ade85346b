import { useMemo } from "react";
import { Link } from "wouter";
import { useRun } from "../../api/runs";
import { useEvents } from "../../api/stream";
import { shared } from "../../ledger/compare";
import { fold, planOf } from "../../ledger/state";
import { Diff } from "../../parts/Diff";
import { Empty } from "../../parts/Empty";
import { Failing } from "../../parts/Failing";
import { Loading } from "../../parts/Loading";
import { PageHeader } from "../../parts/PageHeader";
import { Section } from "../../parts/Section";
import { useAddress } from "../../words/address";
import { plural } from "../../words/format";
import styles from "./Compare.module.css";
import { ComparedRun } from "./ComparedRun";
import { ComparedSteps } from "./ComparedSteps";

/** `/runs/compare?a=&b=`: two runs side by side. */
export default function Compare() {
  const { get } = useAddress();
  const [a, b] = [get("a"), get("b")];
  const [pageA, pageB] = [useRun(a), useRun(b)];
  const [eventsA, eventsB] = [useEvents(a).events, useEvents(b).events];
  const [stateA, stateB] = useMemo(() => [fold(eventsA), fold(eventsB)] as const, [eventsA, eventsB]);
  const alike = useMemo(() => shared(eventsA, eventsB), [eventsA, eventsB]);
  const failed = [pageA, pageB].find((page) => page.isError);
  if (!a || !b) return <Empty title="Two runs are needed.">Open a run and choose Compare.</Empty>;
  if (failed) return <Failing error={failed.error} again={() => void failed.refetch()} />;
  if (!pageA.data || !pageB.data || eventsA.length === 0 || eventsB.length === 0) return <Loading lines={8} />;
  const parted = eventsA[alike] ?? eventsB[alike];
  const answer = (run: { answer?: string | null; error?: string | null }) => run.answer ?? run.error ?? "";
  return (
    <div className={styles.page}>
      <PageHeader
        title="Compare runs"
        sub={
          parted ? (
            <>
              {alike === 0
                ? "They differ from the beginning"
                : `${plural(alike, "event")} from the beginning are alike`}
              ; they part at <Link href={`/runs/${a}?tab=events&event=${alike + 1}`}>event {alike + 1}</Link>.
            </>
          ) : (
            "They went the same way from beginning to end."
          )
        }
      />
      <div className={styles.sides}>
        <ComparedRun letter="A" run={pageA.data.run} state={stateA} other={pageB.data.run} />
        <ComparedRun letter="B" run={pageB.data.run} state={stateB} other={pageA.data.run} />
      </div>
      <Section title="Answers">
        <Diff before={answer(pageA.data.run)} after={answer(pageB.data.run)} label="Answers" />
      </Section>
      <Section title="Steps">
        <ComparedSteps a={stateA} b={stateB} runA={a} runB={b} />
      </Section>
      <Section title="Plans">
        <Diff before={planOf(stateA)} after={planOf(stateB)} label="Plans" />
      </Section>
    </div>
  );
}
