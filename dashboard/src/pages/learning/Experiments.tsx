import { useEffect } from "react";
import { useExperiments } from "../../api/experiments";
import { useLessons } from "../../api/lessons";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Trial } from "./Trial";
import styles from "./Learning.module.css";

/** What is and was tried, what is under way first. */
export function Experiments({ selected }: { selected?: string }) {
  const experiments = useExperiments();
  const texts = new Map((useLessons().data?.lessons ?? []).map((lesson) => [lesson.id, lesson.text]));
  useEffect(() => {
    if (selected) document.getElementById(selected)?.scrollIntoView({ block: "center" });
  }, [selected, experiments.data]);
  return (
    <Asked
      query={experiments}
      nothing={(found) => found.experiments.length === 0}
      empty={<Empty title="Nothing is being tried.">When you accept a lesson, some runs are told and others are not, and what that changes decides.</Empty>}
    >
      {(found) => (
        <div className={styles.stack}>
          {found.experiments
            .toSorted((a, b) => Number(b.ended_at === undefined) - Number(a.ended_at === undefined))
            .map((trial) => (
              <div key={trial.id} id={trial.id} className={trial.id === selected ? styles.chosen : undefined}>
                <Trial trial={trial} text={texts.get(trial.lesson) ?? trial.lesson} />
              </div>
            ))}
        </div>
      )}
    </Asked>
  );
}
