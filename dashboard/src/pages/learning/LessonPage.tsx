import { useState } from "react";
import { useExperiments } from "../../api/experiments";
import { useAcceptLesson, useDismissLesson, useLesson, type Lesson, type OnRecord } from "../../api/lessons";
import { useOnly } from "../../api/may";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Facts } from "../../parts/Facts";
import { Id } from "../../parts/Id";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { Ticked } from "../../parts/Ticked";
import { toast, toastProblem } from "../../parts/Toast";
import { When } from "../../parts/When";
import { share } from "../../words/format";
import { sentence } from "../../words/sentence";
import { PatternEvidence } from "./PatternEvidence";
import { Trial } from "./Trial";
import { effectWords } from "./learnt";
import styles from "./Learning.module.css";

/** A lesson, what it rests on, what it would have changed, and what a person can say about it. */
export function LessonPage({ id }: { id: string }) {
  const page = useLesson(id);
  const trials = (useExperiments().data?.experiments ?? []).filter((one) => one.lesson === id);
  return (
    <Asked query={page} lines={8}>
      {({ lesson, on_record }) => (
        <article className={styles.stack}>
          <h2 className={styles.title}>
            <Ticked text={lesson.text} />
          </h2>
          <Facts
            across
            facts={[
              ["Stands", <Status key="status" status={lesson.status} />],
              ["To", lesson.agent],
              ["At", lesson.problem ?? "all problems"],
              ["Since", <When key="since" at={lesson.changed_at} />],
              ["Lesson", <Id key="id" id={lesson.id} copy />],
            ]}
          />
          <p>
            <Ticked text={sentence(lesson.because)} />
          </p>
          <Acts lesson={lesson} />
          {trials.map((trial) => (
            <Trial key={trial.id} trial={trial} />
          ))}
          <Section title="What it would have changed about the runs on record">
            <Foreseen foreseen={on_record} />
          </Section>
          <Section title="What it rests on">
            <PatternEvidence pattern={lesson.pattern} />
          </Section>
        </article>
      )}
    </Asked>
  );
}

function Acts({ lesson }: { lesson: Lesson }) {
  const accept = useAcceptLesson();
  const dismiss = useDismissLesson();
  const only = useOnly("editor");
  const [asked, setAsked] = useState<"now" | "dismiss">();
  const close = () => setAsked(undefined);
  const done = (words: string) => ({ onSuccess: () => (toast(words), close()), onError: toastProblem });
  const open = lesson.status !== "active" && lesson.status !== "retired";
  return (
    <div className={styles.acts}>
      {open && (
        <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate({ lesson: lesson.id, now: false }, done("Accepted."))} {...only}>
          {lesson.status === "proposed" ? "Accept: try it out" : "Accept"}
        </Button>
      )}
      {open && (
        <Button onClick={() => setAsked("now")} {...only}>
          Tell all at once
        </Button>
      )}
      {lesson.status !== "retired" && (
        <Button look="danger" onClick={() => setAsked("dismiss")} {...only}>
          Dismiss
        </Button>
      )}
      {asked === "now" && (
        <Confirm title="Tell all without a trial?" yes="Tell all" busy={accept.isPending} onClose={close} onYes={() => accept.mutate({ lesson: lesson.id, now: true }, done("All are told from now on."))}>
          Nobody knows yet whether it helps. It becomes part of the guideline of {lesson.agent} and can be rolled back.
        </Confirm>
      )}
      {asked === "dismiss" && (
        <Confirm title="Dismiss this lesson?" yes="Dismiss" danger busy={dismiss.isPending} onClose={close} onYes={() => dismiss.mutate(lesson.id, done("Dismissed. Nobody is told."))}>
          Nobody is told any more. It is looked at again only when twice as many traces speak for it.
        </Confirm>
      )}
    </div>
  );
}

function Foreseen({ foreseen }: { foreseen: OnRecord }) {
  return (
    <div className={styles.evidence}>
      <p>
        <Ticked text={sentence(foreseen.words)} />
      </p>
      <Facts
        facts={[
          ["Would change", `${foreseen.reached} runs`],
          ["Did so anyway", `${foreseen.alike} runs`],
          ["Not concerned", `${foreseen.elsewhere} runs`],
          ["Difference", foreseen.effect && effectWords(foreseen.effect)],
          ["Comparable", share(foreseen.overlap)],
        ]}
      />
    </div>
  );
}
