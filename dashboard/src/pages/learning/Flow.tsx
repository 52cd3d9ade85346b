import { Link } from "wouter";
import { useExperiments } from "../../api/experiments";
import { useLearning, usePatterns, type LearningStatus } from "../../api/learning";
import { useLessons } from "../../api/lessons";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Facts } from "../../parts/Facts";
import { Notice } from "../../parts/Notice";
import { Section } from "../../parts/Section";
import { Ticked } from "../../parts/Ticked";
import { When } from "../../parts/When";
import { count, share } from "../../words/format";
import { byTurn, lastTrial, STAGES } from "./learnt";
import { LessonFlow } from "./LessonFlow";
import styles from "./Learning.module.css";

/** The whole way at a glance: how many stand where, and each lesson with what it came from and what became of it. */
export function Flow() {
  const status = useLearning();
  const lessons = useLessons();
  const patterns = usePatterns();
  const experiments = useExperiments().data?.experiments ?? [];
  return (
    <div className={styles.stack}>
      <Asked query={status} lines={3}>
        {(found) => (
          <>
            {(found.last?.alerts ?? []).map((alert) => (
              <Notice key={`${alert.agent}/${alert.problem}`} tone="bad" title={`${alert.agent} got worse`}>
                <Ticked text={alert.words} />
              </Notice>
            ))}
            <Standing status={found} />
            <Stages status={found} patterns={patterns.data?.found} />
          </>
        )}
      </Asked>
      <Section title="How each lesson came about, and what became of it">
        <Asked
          query={lessons}
          nothing={(found) => found.lessons.length === 0}
          empty={<Empty title="Nothing was learnt yet.">Lessons come from runs that ended, and from traces of other agents. A few dozen that differ are enough for the first.</Empty>}
        >
          {(found) => byTurn(found.lessons).map((lesson) => <LessonFlow key={lesson.id} lesson={lesson} trial={lastTrial(lesson.id, experiments)} />)}
        </Asked>
      </Section>
    </div>
  );
}

function Standing({ status }: { status: LearningStatus }) {
  const { last } = status;
  return (
    <Facts
      across
      facts={[
        ["Traces with an outcome", count(status.traces)],
        ["Of these succeeded", status.traces > 0 && share(status.successes / status.traces)],
        ["Cycles", count(status.cycles)],
        ["Last cycle", last && <When at={last.ended_at} />],
        ["Now learning", status.learner?.[0]],
        ["Guidelines change", status.auto_update ? "by themselves" : "when a person says yes"],
      ]}
    />
  );
}

function Stages({ status, patterns }: { status: LearningStatus; patterns?: number }) {
  return (
    <ol className={styles.stages} aria-label="From pattern to guideline">
      <li>
        <Link href="/learning/patterns">
          <span className={styles.big}>{patterns ?? "–"}</span>
          <strong>Patterns</strong>
          <span className="quiet">more than chance</span>
        </Link>
      </li>
      {STAGES.map((stage) => (
        <li key={stage.id}>
          <Link href={`/learning/lessons?status=${stage.id}`}>
            <span className={styles.big}>{count(status.lessons[stage.id] ?? 0)}</span>
            <strong>{stage.title}</strong>
            <span className="quiet">{stage.says}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
