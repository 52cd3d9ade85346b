import { useState } from "react";
import { Button } from "../../parts/Button";
import { Area } from "../../parts/Field";
import styles from "./Approvals.module.css";

type Props = { verb: "reject" | "respond"; busy: boolean; onSay: (words: string) => void; onClose: () => void };

const WORDS = {
  reject: { label: "Why not?", hint: "In a few words; it stands in the ledger. You may leave it empty.", yes: "Reject" },
  respond: { label: "What is to be taken into account?", hint: "It goes to whoever planned this, and is proposed again.", yes: "Respond" },
};

/** Words that go with a decision. */
export function Say({ verb, busy, onSay, onClose }: Props) {
  const [words, setWords] = useState("");
  const { label, hint, yes } = WORDS[verb];
  return (
    <form
      className={[styles.foot, styles.say].join(" ")}
      onSubmit={(event) => {
        event.preventDefault();
        onSay(words.trim());
      }}
    >
      <Area
        label={label}
        hint={hint}
        value={words}
        rows={2}
        autoFocus
        required={verb === "respond"}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" look={verb === "reject" ? "danger" : "primary"} busy={busy}>
          {yes}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
