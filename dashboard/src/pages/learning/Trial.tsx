import { useState } from "react";
import { Link } from "wouter";
import { useStopExperiment, type Experiment } from "../../api/experiments";
import { useOnly } from "../../api/may";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Facts } from "../../parts/Facts";
import { Interval } from "../../parts/Interval";
import { Meter } from "../../parts/Meter";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { Ticked } from "../../parts/Ticked";
import { toast, toastProblem } from "../../parts/Toast";
import { When } from "../../parts/When";
import { share } from "../../words/format";
import { sentence } from "../../words/sentence";
import { armRates, effectWords, progress } from "./learnt";
import styles from "./Learning.module.css";

/** An experiment: its two arms, how strongly the outcomes speak for and against it, and the button that ends it. */
export function Trial({ trial, text }: { trial: Experiment; text?: string }) {
  const stop = useStopExperiment();
  const only = useOnly("editor");
  const [asked, setAsked] = useState(false);
  const open = trial.status === "shadow" || trial.status === "canary";
  const rates = armRates(trial.tally);
  return (
    <Section
      title={trial.direction === "add" ? "On trial: told to some" : "On trial: kept from some"}
      boxed
      actions={
        open && (
          <Button look="danger" icon="stop" onClick={() => setAsked(true)} {...only}>
            Stop
          </Button>
        )
      }
    >
      <div className={styles.trial}>
        {text && (
          <p>
            <Link href={`/learning/lessons/${trial.lesson}`}>
              <Ticked text={text} />
            </Link>
          </p>
        )}
        <Facts
          across
          facts={[
            ["Stands", <Status key="status" status={trial.status} />],
            ["Agent", [trial.agent, trial.problem].filter(Boolean).join(", ")],
            ["Share", share(trial.share)],
            ["Must help by", share(trial.minimum)],
            ["Began", <When key="began" at={trial.started_at} />],
            ["Ended", trial.ended_at && <When at={trial.ended_at} />],
          ]}
        />
        <p className="quiet">
          <Ticked text={sentence(trial.because)} />
        </p>
        <div className={styles.arms}>
          <Arm name="As before" good={trial.tally.control_successes} all={trial.tally.control} rate={rates.control} />
          <Arm name="With it" good={trial.tally.candidate_successes} all={trial.tally.candidate} rate={rates.candidate} />
          <Evidence name="Speaks for it" evidence={trial.evidence_for} needed={1 / trial.alpha} tone="good" />
          <Evidence name="Speaks against it" evidence={trial.evidence_against} needed={10} tone="bad" />
        </div>
        {trial.effect && (
          <div>
            <p>Difference: {effectWords(trial.effect)}</p>
            <Interval low={trial.effect.low} estimate={trial.effect.estimate} high={trial.effect.high} label={effectWords(trial.effect)} />
          </div>
        )}
      </div>
      {asked && (
        <Confirm
          title="Stop this experiment?"
          yes="Stop it"
          danger
          busy={stop.isPending}
          onClose={() => setAsked(false)}
          onYes={() => stop.mutate(trial.id, { onSuccess: () => (toast("Stopped."), setAsked(false)), onError: toastProblem })}
        >
          Everybody gets again what all got before. What was seen so far stays on record.
        </Confirm>
      )}
    </Section>
  );
}

function Arm({ name, good, all, rate }: { name: string; good: number; all: number; rate: number }) {
  return (
    <div>
      <h3>{name}</h3>
      <p>
        {all === 0 ? "nobody yet" : share(rate, 1)} <span className="quiet">{all > 0 && `${good} of ${all}`}</span>
      </p>
      <Meter label={`${name}: ${share(rate, 1)}`} share={rate} />
    </div>
  );
}

function Evidence({ name, evidence, needed, tone }: { name: string; evidence: number; needed: number; tone: "good" | "bad" }) {
  const far = progress(evidence, needed);
  return (
    <div>
      <h3>{name}</h3>
      <p>
        {evidence.toPrecision(3)} <span className="quiet">of {Math.round(needed)} that decide</span>
      </p>
      <Meter label={`${name}: ${share(far)} of the way`} share={far} tone={tone} />
    </div>
  );
}
