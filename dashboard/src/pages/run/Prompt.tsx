import { Link } from "wouter";
import { marked, pointsOf } from "../../ledger/prompt";
import type { Guideline } from "../../ledger/events";
import { SafeText } from "../../parts/SafeText";
import { plural } from "../../words/format";
import styles from "./Prompt.module.css";

/** What an agent was told, with the points that it was told because of a guideline. */
export function Prompt({ prompt, guidelines }: { prompt: string; guidelines: Guideline[] }) {
  const pieces = marked(prompt, pointsOf(guidelines));
  const points = pieces.filter((piece) => piece.point).length;
  return (
    <>
      {points > 0 && <p className="quiet">{plural(points, "point")} of a guideline, marked.</p>}
      <pre className={styles.prompt} tabIndex={0}>
        {pieces.map((piece, at) =>
          piece.point ? (
            <mark
              key={at}
              className={styles.point}
              title={`${piece.point.agent} ${piece.point.version}, from ${piece.point.source}`}
            >
              <SafeText text={piece.text} />
              {piece.point.lesson && (
                <Link href={`/learning/lessons/${piece.point.lesson}`} className={styles.source}>
                  {piece.point.agent} {piece.point.version}
                </Link>
              )}
            </mark>
          ) : (
            <SafeText key={at} text={piece.text} />
          ),
        )}
      </pre>
    </>
  );
}
