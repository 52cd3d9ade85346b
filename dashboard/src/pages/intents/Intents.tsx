import { INTENT_STATUSES, useIntents, type Intent, type IntentStatus } from "../../api/intents";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Select } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { PageHeader } from "../../parts/PageHeader";
import { Section } from "../../parts/Section";
import { useAddress } from "../../words/address";
import { plural } from "../../words/format";
import { sentence } from "../../words/sentence";
import { byDoubt } from "./doubt";
import { IntentRow } from "./IntentRow";
import styles from "./Intents.module.css";

/** What runs wanted to write, what nobody can vouch for first. */
export default function Intents() {
  const address = useAddress();
  const status = INTENT_STATUSES.find((one) => one === address.get("status"));
  const intents = useIntents(status);
  const unknown = useIntents("unknown");
  const doubtful = unknown.data?.intents ?? [];
  return (
    <>
      <PageHeader title="Intents" sub="Every write is declared before it is sent, and sent once. What became of each stands here." />
      <div className={styles.stack}>
        {doubtful.length > 0 && (
          <Notice tone="doubt" title={`Nobody can tell whether ${plural(doubtful.length, "write")} happened.`}>
            Look at the other side, then say in the run what you found. Nothing is sent again by itself.
          </Notice>
        )}
        <div className={styles.filters}>
          <Select
            bare
            label="How they stand"
            value={status ?? ""}
            onChange={(event) => address.set({ status: event.target.value })}
            options={[{ value: "", label: "However they stand" }, ...INTENT_STATUSES.map((one) => ({ value: one, label: one }))]}
          />
        </div>
        <Asked query={intents} nothing={(found) => found.intents.length === 0} empty={<Nothing status={status} />}>
          {(found) => byDoubt(status ? found.intents : merged(doubtful, found.intents)).map(([word, group]) => (
            <Section key={word} title={sentence(`${word}: ${group.length}`).slice(0, -1)}>
              <ul>
                {group.map((intent) => (
                  <IntentRow key={intent.key} intent={intent} />
                ))}
              </ul>
            </Section>
          ))}
        </Asked>
      </div>
    </>
  );
}

/** The newest hundred may not reach back to what is in doubt: that is asked for besides. */
function merged(doubtful: Intent[], all: Intent[]): Intent[] {
  const seen = new Set(all.map((one) => one.key));
  return [...doubtful.filter((one) => !seen.has(one.key)), ...all];
}

function Nothing({ status }: { status?: IntentStatus }) {
  return status ? <Empty title={`No intent is ${status}.`} /> : <Empty title="No run has written anything yet." />;
}
