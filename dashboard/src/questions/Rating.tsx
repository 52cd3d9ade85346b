import { useRate, useRating } from "../api/runs";
import { useMay } from "../api/session";
import { Button } from "../parts/Button";
import { toast, toastProblem } from "../parts/Toast";
import styles from "./Rating.module.css";

/** Whether it was good; the last word counts. */
export function Rating({ run }: { run: string }) {
  const rating = useRating(run);
  const rate = useRate(run);
  const may = useMay("runner");
  const good = rating.data?.good;
  const say = (to: boolean) =>
    rate.mutate({ good: to }, { onSuccess: () => toast("Noted. It is learnt from."), onError: toastProblem });
  return (
    <div className={styles.rating} role="group" aria-label="Was it good?">
      <Button
        look="quiet"
        icon="good"
        aria-label="Good"
        aria-pressed={good === true}
        disabled={!may}
        className={styles.good}
        onClick={() => say(true)}
      />
      <Button
        look="quiet"
        icon="bad"
        aria-label="Bad"
        aria-pressed={good === false}
        disabled={!may}
        className={styles.bad}
        onClick={() => say(false)}
      />
    </div>
  );
}
