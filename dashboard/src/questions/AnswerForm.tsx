import { useState } from "react";
import { useAnswer } from "../api/runs";
import { useMay } from "../api/session";
import type { Wait } from "../ledger/events";
import { Button } from "../parts/Button";
import { Input } from "../parts/Field";
import { SafeText } from "../parts/SafeText";
import { toastProblem } from "../parts/Toast";
import styles from "./Questions.module.css";

/** A question in words, or one that wants a yes or a no. */
export function AnswerForm({ run, wait }: { run: string; wait: Wait }) {
  const [text, setText] = useState("");
  const answer = useAnswer(run);
  const may = useMay("runner");
  if (wait.need.need === "time") return null;
  const send = (said: string) => answer.mutate({ name: wait.name, answer: said }, { onError: toastProblem });
  return (
    <section className={styles.card} aria-label="A question for you">
      <p className={styles.question}>
        <SafeText text={wait.need.question} />
      </p>
      {wait.need.need === "answer" ? (
        <form
          className={styles.row}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) send(text.trim());
          }}
        >
          <Input
            label="Your answer"
            bare
            placeholder="Your answer"
            value={text}
            disabled={!may}
            onChange={(event) => setText(event.target.value)}
          />
          <Button look="primary" type="submit" busy={answer.isPending} disabled={!may || !text.trim()}>
            Answer
          </Button>
        </form>
      ) : (
        <div className={styles.row}>
          <Button look="primary" busy={answer.isPending} disabled={!may} onClick={() => send("yes")}>
            Yes
          </Button>
          <Button disabled={!may || answer.isPending} onClick={() => send("no")}>
            No
          </Button>
        </div>
      )}
    </section>
  );
}
