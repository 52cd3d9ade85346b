import { usePrediction } from "../../api/traces";
import { Asked } from "../../parts/Asked";
import { Meter } from "../../parts/Meter";
import { Section } from "../../parts/Section";
import { Ticked } from "../../parts/Ticked";
import { plural, share } from "../../words/format";
import { sentence } from "../../words/sentence";
import styles from "./Learning.module.css";

/** How a trace probably ends going by all others, why, and where a failed one probably went wrong. */
export function Predicted({ trace }: { trace: string }) {
  const prediction = usePrediction(trace);
  return (
    <Section title="Going by all others">
      <Asked query={prediction} lines={3}>
        {(found) => (
          <div className={styles.evidence}>
            <p>
              {share(found.chance)} chance of success, learnt from {plural(found.learnt_from, "trace")}.
            </p>
            <ul className={styles.reasons} aria-label="Why">
              {found.reasons.map((reason) => (
                <li key={reason.words}>
                  <span>
                    <Ticked text={sentence(reason.words)} />
                  </span>
                  <span className="quiet">{reason.weight >= 0 ? "for" : "against"}</span>
                  <Meter label={`weighs ${reason.weight.toFixed(2)}`} share={Math.abs(reason.weight)} tone={reason.weight >= 0 ? "good" : "bad"} />
                </li>
              ))}
            </ul>
            {found.went_wrong?.[0] && (
              <p>
                It probably went wrong at step {found.went_wrong[0].step + 1} <span className="quiet">({share(found.went_wrong[0].share)})</span>.
              </p>
            )}
          </div>
        )}
      </Asked>
    </Section>
  );
}
