import { useState } from "react";
import { authorWords, useGuidelineVersions, useRollbackGuideline, type Guideline } from "../../api/guidelines";
import { useOnly } from "../../api/may";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Diff } from "../../parts/Diff";
import { Id } from "../../parts/Id";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { Ticked } from "../../parts/Ticked";
import { toast, toastProblem } from "../../parts/Toast";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import { sentence } from "../../words/sentence";
import styles from "./Learning.module.css";

type Entry = { told: boolean; version: Guideline };

/** What one agent is told, has been told, and the way back. */
export function GuidelinePage({ agent }: { agent: string }) {
  const versions = useGuidelineVersions(agent);
  return (
    <Asked query={versions} lines={6}>
      {(found) => <History agent={agent} entries={found.versions} />}
    </Asked>
  );
}

function History({ agent, entries }: { agent: string; entries: Entry[] }) {
  const address = useAddress();
  const [back, setBack] = useState<Guideline>();
  const rollback = useRollbackGuideline();
  const only = useOnly("editor");
  const told = entries.find((entry) => entry.told)?.version;
  const shown = entries.find((entry) => entry.version.version === address.get("version"))?.version ?? told ?? entries[0]?.version;
  if (!shown) return null;
  const parent = entries.find((entry) => entry.version.version === shown.parent)?.version;
  return (
    <article className={styles.stack}>
      <Section title={`What ${agent} is told${shown === told ? "" : ` in version ${shown.version}`}`}>
        {shown.points.length === 0 && <p className="quiet">Nothing.</p>}
        <ol className={styles.points}>
          {shown.points.map((point, at) => (
            <li key={at}>
              <p>
                <Ticked text={point.text} />
              </p>
              <span className="quiet">
                {point.problem && `at ${point.problem} · `}
                {point.lesson ? <Id id={point.lesson} /> : point.source}
              </span>
            </li>
          ))}
        </ol>
      </Section>
      <Section title={parent ? `What changed from ${parent.version} to ${shown.version}` : `Version ${shown.version} is the first`}>
        <Diff before={parent ? said(parent) : ""} after={said(shown)} />
      </Section>
      <Section title="Versions">
        <ol className={styles.versions}>
          {entries.map(({ told: isTold, version }) => (
            <li key={version.version} aria-current={version === shown || undefined}>
              <button type="button" onClick={() => address.set({ version: version.version })}>
                {version.version}
              </button>
              <div>
                <p>
                  <Ticked text={sentence(version.because)} />
                </p>
                <p className="quiet">
                  {authorWords(version.by)}, <When at={version.at} />
                </p>
              </div>
              {isTold ? (
                <Status status="active" word="told" plain />
              ) : (
                <Button onClick={() => setBack(version)} {...only}>
                  Roll back to this
                </Button>
              )}
            </li>
          ))}
        </ol>
      </Section>
      {back && told && (
        <Confirm
          title={`Go back to version ${back.version}?`}
          yes="Roll back"
          danger
          busy={rollback.isPending}
          error={rollback.error}
          onClose={() => setBack(undefined)}
          onYes={() => rollback.mutate({ agent, to: back.version }, { onSuccess: () => (toast(`${agent} is told version ${back.version} again.`), setBack(undefined)), onError: toastProblem })}
        >
          <p>What was added since is retired, and what is being tried on {agent} is stopped.</p>
          <Diff before={said(told)} after={said(back)} />
        </Confirm>
      )}
    </article>
  );
}

function said(version: Guideline): string {
  return version.points.map((point) => (point.problem ? `${point.text} (at ${point.problem})` : point.text)).join("\n");
}
