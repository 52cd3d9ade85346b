import type { Event, EventOf, Kind } from "../../ledger/events";
import { pointsOf } from "../../ledger/prompt";
import type { RunState } from "../../ledger/state";
import { Facts } from "../../parts/Facts";
import { SafeText } from "../../parts/SafeText";
import { duration, money, share, words } from "../../words/format";
import { Block } from "./Block";
import styles from "./Inspector.module.css";
import { Signals } from "./Signals";

/** Why it went this way, what was thought of the plan, and what was expected of it. */
export function About({ state, events }: { state: RunState; events: Event[] }) {
  const judgement = state.routed?.data.judgement;
  const last = <K extends Kind>(kind: K) =>
    events.findLast((event): event is EventOf<K> & Event => event.kind === kind)?.data as
      EventOf<K>["data"] | undefined;
  const [critique, confidence, assessment, gate, foreseen] = [
    last("critiqued")?.critique,
    last("scored")?.confidence,
    last("assessed")?.assessment,
    last("gated"),
    last("foreseen")?.forecast,
  ];
  const points = pointsOf(state.guidelines);
  return (
    <div className={styles.parts}>
      {judgement && (
        <Block title="What the route rests on">
          <Facts
            facts={[
              ["Decision", judgement.decision],
              ["Role", judgement.role],
              ["Confidence", judgement.confidence.toFixed(3)],
              [
                "Promise",
                judgement.certificate?.threshold !== undefined &&
                  `at most ${share(judgement.certificate.alpha)} wrong from ${judgement.certificate.threshold.toFixed(3)} on`,
              ],
            ]}
          />
          <Signals signals={judgement.signals ?? []} />
        </Block>
      )}
      {(critique || confidence || assessment) && (
        <Block title="What was thought of the plan">
          <Facts
            facts={[
              ["Critique", critique && `${critique.overall.toFixed(2)}, ${critique.verdict}`],
              ["Confidence", confidence?.overall.toFixed(2)],
              ["Quality", assessment?.quality.toFixed(2)],
              ["Decision", gate && words(gate.next)],
            ]}
          />
          {gate && (
            <p className="quiet">
              <SafeText text={gate.why} />
            </p>
          )}
        </Block>
      )}
      {foreseen && (
        <Block title="What was expected">
          <Facts
            facts={[
              ["Cost", `${money(foreseen.usd.low)} to ${money(foreseen.usd.high)}, was ${money(state.spent.cost)}`],
              ["Time", `${duration(foreseen.seconds.low * 1000)} to ${duration(foreseen.seconds.high * 1000)}`],
              ["Success", `${share(foreseen.success.low)} to ${share(foreseen.success.high)}`],
            ]}
          />
        </Block>
      )}
      {points.length > 0 && (
        <Block title="What was to be heeded">
          <ul>
            {points.map((point, at) => (
              <li key={at}>
                <SafeText text={point.text} />{" "}
                <span className="quiet">
                  {point.agent} {point.version}
                </span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      <p className="quiet">Select a step, a bar or an event to look inside.</p>
    </div>
  );
}
