import { useDeferredValue, useEffect, useState } from "react";
import { useOverview } from "../../api/overview";
import { useExplained } from "../../api/routes";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Area } from "../../parts/Field";
import { useAddress } from "../../words/address";
import { Judgement } from "./Judgement";
import styles from "./Routes.module.css";

const WAIT = 250;

/** A request that is not made: what would become of it is said while it is typed. */
export function Explain() {
  const address = useAddress();
  const [text, setText] = useState(address.get("text") ?? "");
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(text);
      address.set({ text: text.trim() });
    }, WAIT);
    return () => clearTimeout(timer);
    // The address follows the words, not the other way round.
  }, [text]);
  const explained = useExplained(useDeferredValue(asked));
  const examples = useOverview().data?.examples ?? ["Set a timer for ten minutes", "Will it rain in Oslo tomorrow?", "Plan a trip to Bergen and book a hotel"];
  return (
    <div className={styles.explain}>
      <div className={styles.ask}>
        <Area label="A request" bare data-search rows={2} autoFocus placeholder="Type a request. It is explained, not carried out." value={text} onChange={(event) => setText(event.target.value)} />
        {text === "" && (
          <p className={styles.examples}>
            <span className="quiet">For example</span>
            {examples.map((example) => (
              <Button key={example} onClick={() => setText(example)}>
                {example}
              </Button>
            ))}
          </p>
        )}
      </div>
      {asked.trim() !== "" && (
        <Asked query={explained} lines={6}>
          {(found) => <Judgement explained={found} />}
        </Asked>
      )}
    </div>
  );
}
