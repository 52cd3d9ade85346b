import { useEffect, useState } from "react";
import { ago, moment } from "../words/format";

/** A moment as how long ago, kept true; in full where the pointer rests. */
export function When({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, Math.max(now, Date.now() - 15_000))}
    </time>
  );
}
