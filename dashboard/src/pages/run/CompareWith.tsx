import { useState } from "react";
import { Link } from "wouter";
import { useRuns } from "../../api/runs";
import type { Run } from "../../api/types";
import { Dialog } from "../../parts/Dialog";
import { Empty } from "../../parts/Empty";
import { Failing } from "../../parts/Failing";
import { Input } from "../../parts/Field";
import { Loading } from "../../parts/Loading";
import { SafeText } from "../../parts/SafeText";
import { StatusMark } from "../../parts/Status";
import { When } from "../../parts/When";
import { words } from "../../words/format";
import styles from "./CompareWith.module.css";

/** Which other run? Those that asked for the same come first. */
export function CompareWith({ run, onClose }: { run: Run; onClose: () => void }) {
  const [text, setText] = useState("");
  const found = useRuns({ text: text || run.text.slice(0, 100), limit: 20 }, false);
  const others = found.data?.runs.filter((other) => other.run !== run.run) ?? [];
  return (
    <Dialog title="Compare with" onClose={onClose}>
      <Input
        label="Words of the other run"
        bare
        placeholder="Words of the other run"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {found.isPending ? (
        <Loading />
      ) : found.isError ? (
        <Failing error={found.error} />
      ) : others.length === 0 ? (
        <Empty title="No other run has these words." />
      ) : (
        <ul className={styles.list}>
          {others.map((other) => (
            <li key={other.run}>
              <Link href={`/runs/compare?a=${run.run}&b=${other.run}`}>
                <StatusMark status={other.status} />
                <span className={styles.words}>
                  <SafeText text={other.text} />
                </span>
                <span className="quiet">
                  {other.strategy && words(other.strategy)} · <When at={other.created_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
