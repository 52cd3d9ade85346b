import { useEffect, useRef } from "react";
import { useRuns } from "../../api/runs";
import { Empty } from "../../parts/Empty";
import { Link } from "wouter";
import { Failing } from "../../parts/Failing";
import { Icon } from "../../parts/Icon";
import { Loading } from "../../parts/Loading";
import styles from "./Conversation.module.css";
import { Turn } from "./Turn";

/** A browser opens few connections to one server; each turn that is followed takes one. */
const FOLLOWED = 3;

/** All that was asked and answered under one session, oldest first. */
export function Conversation({ session }: { session: string }) {
  const runs = useRuns({ session, limit: 100 });
  const end = useRef<HTMLDivElement>(null);
  const turns = runs.data?.runs.toReversed() ?? [];
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [turns.length]);
  if (!runs.data) return runs.isError ? <Failing error={runs.error} again={() => void runs.refetch()} /> : <Loading />;
  if (turns.length === 0) return <Empty title="Nothing was asked here yet." />;
  return (
    <div>
      <header className={styles.head}>
        <h1>Conversation</h1>
        <Link href="/" className={styles.fresh}>
          <Icon name="plus" />
          New conversation
        </Link>
      </header>
      <ol className={styles.turns} aria-live="polite">
        {turns.map((run, at) => (
          <li key={run.run}>
            <Turn
              watch={at >= turns.length - FOLLOWED}
              run={run}
              last={run === turns.at(-1)}
              onGrow={() => end.current?.scrollIntoView({ block: "end" })}
            />
          </li>
        ))}
      </ol>
      <div ref={end} className={styles.end} />
    </div>
  );
}
