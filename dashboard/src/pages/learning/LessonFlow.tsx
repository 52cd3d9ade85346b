import { Link } from "wouter";
import type { Experiment } from "../../api/experiments";
import type { Lesson } from "../../api/lessons";
import { Interval } from "../../parts/Interval";
import { Status } from "../../parts/Status";
import { Ticked } from "../../parts/Ticked";
import { between, effectWords, points, rate, support } from "./learnt";
import styles from "./Learning.module.css";

/** One lesson from left to right: what was seen, how sure that is, what is said, how it was tried, what became of it. */
export function LessonFlow({ lesson, trial }: { lesson: Lesson; trial?: Experiment }) {
  const { pattern } = lesson;
  const { evidence } = pattern;
  const [low, high] = evidence.interval;
  return (
    <article className={styles.flow} aria-label={lesson.text}>
      <div>
        <h3>Pattern</h3>
        <p>
          <Link href={`/learning/patterns/${pattern.id}`}>
            <Ticked text={pattern.advice || pattern.words} />
          </Link>
        </p>
      </div>
      <div>
        <h3>Evidence</h3>
        <p>{points(evidence.effect)}</p>
        <Interval low={low} estimate={evidence.effect} high={high} label={`between ${between(low, high)}`} />
        <p className="quiet">
          {rate(evidence.with_success, support(evidence).with)} with it, {rate(evidence.without_success, support(evidence).without)} without
        </p>
      </div>
      <div>
        <h3>Proposed edit</h3>
        <p>
          <Link href={`/learning/lessons/${lesson.id}`}>
            <Ticked text={lesson.text} />
          </Link>
        </p>
        <p className="quiet">
          to {lesson.agent}
          {lesson.problem && `, at ${lesson.problem}`}
        </p>
      </div>
      <div>
        <h3>Experiment</h3>
        {trial ? (
          <>
            <p>
              <Link href={`/learning/experiments/${trial.id}`}>
                {rate(trial.tally.candidate_successes, trial.tally.candidate)} against {rate(trial.tally.control_successes, trial.tally.control)}
              </Link>
            </p>
            <p className="quiet">{trial.effect ? effectWords(trial.effect) : `${trial.tally.candidate} told, ${trial.tally.control} not`}</p>
          </>
        ) : (
          <p className="quiet">not tried</p>
        )}
      </div>
      <div>
        <h3>Where it stands</h3>
        <p>
          <Status status={trial && lesson.status === "retired" && trial.status !== "stopped" ? trial.status : lesson.status} />
        </p>
      </div>
    </article>
  );
}
