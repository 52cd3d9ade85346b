import { useEffect, useRef } from "react";
import { useRuns } from "../../api/runs";
import { Empty } from "../../parts/Empty";
import { Failing } from "../../parts/Failing";
import { Loading } from "../../parts/Loading";
import styles from "./Conversation.module.css";
import { Turn } from "./Turn";

/** All that was asked and answered under one session, oldest first. */
export function Conversation({ session }: { session: string }) {
  const runs = useRuns({ session, limit: 100 });
  const end = useRef<HTMLDivElement>(null);
  const turns = runs.data?.runs.toReversed() ?? [];
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [turns.length]);
  if (runs.isPending) return <Loading />;
  if (runs.isError) return <Failing error={runs.error} again={() => void runs.refetch()} />;
  if (turns.length === 0) return <Empty title="Nothing was asked here yet." />;
  return (
    <div>
      <h1 className="unseen">Conversation</h1>
      <ol className={styles.turns} aria-live="polite">
        {turns.map((run) => (
          <li key={run.run}>
            <Turn run={run} onGrow={() => end.current?.scrollIntoView({ block: "end" })} />
          </li>
        ))}
      </ol>
      <div ref={end} className={styles.end} />
    </div>
  );
}
