import { useEffect, useState } from "react";
import type { Run } from "../../api/types";
import type { RunState } from "../../ledger/state";
import { duration } from "../../words/format";

/** How long a run took; how long it has been at it, while it is. */
export function Took({ run, state }: { run: Run; state: RunState }) {
  const over = state.ending !== undefined;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [over]);
  const end = over && state.last ? Date.parse(state.last.at) : now;
  const worked = state.last?.kind === "finished" ? state.last.data.worked_ms : undefined;
  const whole = Math.max(end - Date.parse(run.created_at), 0);
  // What waited for somebody took longer than it was worked on.
  const waited = worked !== undefined && whole > worked * 2 && whole - worked > 2000;
  return <>{waited ? `${duration(worked)} of work in ${duration(whole)}` : duration(whole)}</>;
}
