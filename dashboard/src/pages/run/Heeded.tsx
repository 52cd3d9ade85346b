import { Link } from "wouter";
import type { Guideline } from "../../ledger/events";
import { pointsFor } from "../../ledger/prompt";
import { SafeText } from "../../parts/SafeText";
import { Block } from "./Block";
import styles from "./Prompt.module.css";

/** The points that a planner, thinker or critic was told to heed; the rest of its prompt is not on record. */
export function Heeded({ component, guidelines }: { component: string; guidelines: Guideline[] }) {
  const points = pointsFor(component, guidelines);
  if (points.length === 0) return null;
  return (
    <Block title="What it was told to heed">
      <ul className={styles.points}>
        {points.map((point, at) => (
          <li key={at} className={styles.point}>
            <SafeText text={point.text} />{" "}
            {point.lesson ? (
              <Link href={`/learning/lessons/${point.lesson}`} className={styles.source}>
                {point.agent} {point.version}
              </Link>
            ) : (
              <span className="quiet">{point.source}</span>
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}
