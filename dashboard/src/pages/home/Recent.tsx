import { Link } from "wouter";
import { useRuns } from "../../api/runs";
import { Empty } from "../../parts/Empty";
import { Failing } from "../../parts/Failing";
import { Loading } from "../../parts/Loading";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { standing } from "../../words/run";
import styles from "./Waiting.module.css";

export function Recent() {
  const runs = useRuns({ limit: 8 });
  return (
    <Section title="Recent runs" actions={<Link href="/runs">All runs</Link>}>
      {!runs.data ? (
        runs.isError ? (
          <Failing error={runs.error} again={() => void runs.refetch()} />
        ) : (
          <Loading />
        )
      ) : runs.data.runs.length === 0 ? (
        <Empty title="Nothing was asked yet.">Write what you want above, or choose an example.</Empty>
      ) : (
        <ul className={styles.list}>
          {runs.data.runs.map((run) => (
            <li key={run.run}>
              <Link href={`/runs/${run.run}`} className={styles.item}>
                <Status status={standing(run)} plain />
                <span className={styles.words}>
                  <SafeText text={run.text} />
                </span>
                <span className="quiet">
                  <When at={run.created_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
