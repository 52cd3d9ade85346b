import { Link } from "wouter";
import type { Replayed } from "../../api/types";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { plural } from "../../words/format";

/** Whether a run came out the same when it was gone through again. */
export function ReplayResult({ replayed }: { replayed: Replayed }) {
  if (replayed.same) return <Status status="completed" word={`the same again: ${plural(replayed.events, "event")}`} />;
  return (
    <span role="status">
      <Status status="failed" word="differs" />{" "}
      <Link href={`/runs/${replayed.run}?tab=events&event=${replayed.seq}`}>from event {replayed.seq} on</Link>
      {replayed.detail && (
        <>
          : <SafeText text={replayed.detail} />
        </>
      )}
    </span>
  );
}
