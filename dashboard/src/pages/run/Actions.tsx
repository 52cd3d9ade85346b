import { useState } from "react";
import { useLocation } from "wouter";
import { exportOf, useCancel, useFork, useReplay, useResume } from "../../api/runs";
import { useMay } from "../../api/session";
import type { Run } from "../../api/types";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Icon } from "../../parts/Icon";
import { toast, toastProblem } from "../../parts/Toast";
import styles from "./Actions.module.css";
import { CompareWith } from "./CompareWith";
import { ReplayResult } from "./ReplayResult";

type Props = { run: Run; over: boolean; /** The event that is looked at. */ at?: number; last?: number };

/** What can be done to a run. */
export function Actions({ run, over, at, last }: Props) {
  const [, go] = useLocation();
  const [asked, setAsked] = useState<"compare" | "cancel" | undefined>();
  const [replay, fork, cancel, resume] = [useReplay(run.run), useFork(run.run), useCancel(run.run), useResume(run.run)];
  const may = useMay("runner");
  const from = at ?? last ?? 1;
  const branch = () =>
    fork.mutate({ at: from }, { onSuccess: (made) => go(`/runs/${made.run}`), onError: toastProblem });
  return (
    <div className={styles.actions}>
      <Button
        icon="replay"
        busy={replay.isPending}
        disabled={!may || !over}
        onClick={() => replay.mutate(undefined, { onError: toastProblem })}
      >
        Replay
      </Button>
      <Button
        icon="fork"
        busy={fork.isPending}
        disabled={!may || last === undefined}
        onClick={branch}
        title="A new run that shares the events up to here"
      >
        {at === undefined ? "Fork" : `Fork at event ${at}`}
      </Button>
      <Button icon="compare" onClick={() => setAsked("compare")}>
        Compare
      </Button>
      <a className={styles.link} href={exportOf(run.run)} download={`${run.run}.json`}>
        <Icon name="download" />
        Export
      </a>
      {!over && (
        <>
          <Button
            icon="play"
            disabled={!may}
            busy={resume.isPending}
            onClick={() =>
              resume.mutate(undefined, { onSuccess: () => toast("It is looked at now."), onError: toastProblem })
            }
          >
            Resume
          </Button>
          <Button icon="stop" look="danger" disabled={!may} onClick={() => setAsked("cancel")}>
            Cancel
          </Button>
        </>
      )}
      {replay.data && <ReplayResult replayed={replay.data} />}
      {asked === "compare" && <CompareWith run={run} onClose={() => setAsked(undefined)} />}
      {asked === "cancel" && (
        <Dialog
          title="Cancel this run?"
          onClose={() => setAsked(undefined)}
          foot={
            <>
              <Button onClick={() => setAsked(undefined)}>Let it run</Button>
              <Button
                look="danger"
                busy={cancel.isPending}
                onClick={() =>
                  cancel.mutate(
                    {},
                    {
                      onSuccess: () => toast("It was asked to stop."),
                      onError: toastProblem,
                      onSettled: () => setAsked(undefined),
                    },
                  )
                }
              >
                Cancel the run
              </Button>
            </>
          }
        >
          It stops within a second. What was written to the world stays written.
        </Dialog>
      )}
    </div>
  );
}
