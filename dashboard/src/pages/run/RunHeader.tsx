import { useEffect } from "react";
import { Link } from "wouter";
import { useRuns } from "../../api/runs";
import type { Run } from "../../api/types";
import type { Event } from "../../ledger/events";
import type { RunState } from "../../ledger/state";
import { Facts } from "../../parts/Facts";
import { Id } from "../../parts/Id";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { count, money, words } from "../../words/format";
import { standing } from "../../words/run";
import { Actions } from "./Actions";
import styles from "./RunHeader.module.css";
import { Took } from "./Took";

type Props = { run: Run; state: RunState; events: Event[]; streaming: string; at?: number };

export function RunHeader({ run, state, events, streaming, at }: Props) {
  const forks = useRuns({ parent: run.run, limit: 10 }, false).data?.runs ?? [];
  const status = (state.routed ?? state.ending) ? state.status : standing(run);
  const spent = events.length ? state.spent : run.spent;
  const routed = state.routed?.data;
  const critiqued = events.findLast((event) => event.kind === "critiqued");
  const verdict = critiqued?.kind === "critiqued" ? critiqued.data.critique : undefined;
  const quality = run.quality ?? undefined;
  useEffect(() => {
    document.title = `${run.text.slice(0, 60)} · Agentwright`;
  }, [run.text]);
  return (
    <header className={styles.head}>
      <div className={styles.top}>
        <div className={styles.crumbs}>
          <Link href="/runs">Runs</Link>
          <span aria-hidden="true">/</span>
          <Id id={run.run} copy />
          {streaming === "live" && !state.ending && <Status status="running" word="live" plain />}
        </div>
        <Actions run={run} over={state.ending !== undefined} at={at} last={events.at(-1)?.seq} />
      </div>
      <div className={styles.row}>
        <h1 className={styles.request}>
          <SafeText text={run.text} />
        </h1>
        <Status status={status} />
      </div>
      <Facts
        across
        facts={[
          ["Route", routed ? `${routed.route}, ${words(routed.strategy)}` : run.strategy && words(run.strategy)],
          ["Role", run.role],
          ["Took", <Took key="took" run={run} state={state} />],
          ["Cost", money(spent.cost)],
          ["Tokens", `${count(spent.input_tokens)} in, ${count(spent.output_tokens)} out`],
          ["Calls", `${count(spent.model_calls)} model, ${count(spent.tool_calls)} tool`],
          ["Verdict", verdict && `${verdict.verdict} at ${verdict.overall.toFixed(2)}`],
          ["Quality", quality === undefined ? undefined : quality.toFixed(2)],
          ["Asked", <When key="asked" at={run.created_at} />],
          ["Conversation", run.session && <Link href={`/chat/${run.session}`}>{run.session}</Link>],
          [
            "Forked from",
            run.parent && (
              <Link href={`/runs/${run.parent.run}?tab=events&event=${run.parent.seq}`}>event {run.parent.seq}</Link>
            ),
          ],
          ["Forks", forks.length > 0 && forks.map((fork) => <Id key={fork.run} id={fork.run} />)],
          ["Flags", flags(run)],
        ]}
      />
      {routed && (
        <p className={styles.why}>
          Why this way: <SafeText text={routed.why} />.{" "}
          <Link href={`/routes/corrections?run=${run.run}`}>Correct the route</Link>
        </p>
      )}
    </header>
  );
}

function flags({ flags }: Run): string {
  return [flags.replanned && "replanned", flags.in_doubt && "in doubt", flags.resumed && "resumed"]
    .filter(Boolean)
    .join(", ");
}
