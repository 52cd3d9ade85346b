import { useItemVersions, type ItemVersion, type Shelf } from "../../api/library";
import { Asked } from "../../parts/Asked";
import { Diff } from "../../parts/Diff";
import { Select } from "../../parts/Field";
import { Id } from "../../parts/Id";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import styles from "./Agents.module.css";
import { essence, lineageWords } from "./kept";

type Props = { shelf: Shelf; name: string; shown: number };

/** All versions, where each comes from, and what differs between the one that is shown and another. */
export function ItemVersions({ shelf, name, shown }: Props) {
  const versions = useItemVersions(shelf, name);
  return (
    <Section title="Versions">
      <Asked query={versions} lines={3}>
        {(found) => <Versions versions={found.versions} shown={shown} />}
      </Asked>
    </Section>
  );
}

function Versions({ versions, shown }: { versions: ItemVersion[]; shown: number }) {
  const address = useAddress();
  const now = versions.find((one) => one.version === shown);
  const others = versions.filter((one) => one.version !== shown);
  const against = others.find((one) => one.version === Number(address.get("against"))) ?? others.find((one) => one.version === shown - 1) ?? others[0];
  return (
    <div className={styles.stack}>
      <ol className={styles.versions} aria-label="Versions">
        {versions.map((one) => {
          const { run, from, by } = lineageWords(one);
          return (
            <li key={one.version} aria-current={one.version === shown || undefined}>
              <button type="button" onClick={() => address.set({ version: one.version })}>
                {one.version}
              </button>
              <span>
                {by ? `changed by ${by}` : from ? `made from ${from}` : "made anew"}
                {run && (
                  <>
                    {" in "}
                    <Id id={run} />
                  </>
                )}
              </span>
              <span className="quiet">
                <When at={one.created_at} />
              </span>
              {one.current ? <Status status="active" word="in use" plain /> : <span />}
            </li>
          );
        })}
      </ol>
      {now && against && (
        <>
          <div className={styles.filters}>
            <Select
              label={`What differs between version ${shown} and`}
              value={String(against.version)}
              onChange={(event) => address.set({ against: event.target.value })}
              options={others.map((one) => ({ value: String(one.version), label: `version ${one.version}` }))}
            />
          </div>
          <Diff before={essence(against)} after={essence(now)} />
        </>
      )}
    </div>
  );
}
