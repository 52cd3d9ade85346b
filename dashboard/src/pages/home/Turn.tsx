import { useEffect, useMemo, useState } from "react";
import { Link } from "wouter";
import { useEvents } from "../../api/stream";
import type { Run } from "../../api/types";
import { fold } from "../../ledger/state";
import { Prose } from "../../parts/Prose";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { Rating } from "../../questions/Rating";
import { Questions } from "../../questions/Questions";
import { duration, money } from "../../words/format";
import { isOver } from "../../words/run";
import { Calls } from "./Calls";
import { Progress } from "./Progress";
import styles from "./Turn.module.css";

type Props = {
  run: Run;
  last: boolean;
  /** Whether it is followed while it goes on. */ watch: boolean;
  onGrow: () => void;
};

/** One request and what became of it, live until it ends. */
export function Turn({ run, last, watch, onGrow }: Props) {
  // Whoever saw it happen keeps what they saw; what was over before is told from its row.
  const [watched] = useState(watch && !isOver(run.status));
  const { events } = useEvents(watched ? run.run : undefined);
  const state = useMemo(() => fold(events), [events]);
  const ending = state.ending;
  const answer = ending && "answer" in ending ? ending.answer : (run.answer ?? undefined);
  const error = ending?.status === "failed" ? ending.error : (run.error ?? undefined);
  const status = events.length ? state.status : run.status;
  const over = isOver(status);
  useEffect(() => {
    onGrow();
  }, [over, state.waits.length]);
  const took = Date.parse(events.at(-1)?.at ?? run.updated_at) - Date.parse(run.created_at);
  const cost = events.length ? state.spent.cost : run.spent.cost;
  return (
    <article className={styles.turn}>
      <p className={styles.request}>
        <SafeText text={run.text} />
      </p>
      {watched && events.length > 0 && <Progress events={events} over={over} />}
      {events.length > 0 && <Calls events={events} />}
      <Questions run={run.run} waits={state.waits} />
      {answer && <Prose text={answer} />}
      {error && (
        <p className={styles.error}>
          <SafeText text={error} />
        </p>
      )}
      {!watched && !over && <Status status={status} />}
      {status === "cancelled" && <p className="quiet">It was cancelled.</p>}
      <footer className={styles.foot}>
        <Link href={`/runs/${run.run}`}>{over ? "How it was done" : "Watch closely"}</Link>
        <When at={run.created_at} />
        {over && <span>{duration(took)}</span>}
        {cost > 0 && <span>{money(cost)}</span>}
        {last && over && <Rating run={run.run} />}
      </footer>
    </article>
  );
}
