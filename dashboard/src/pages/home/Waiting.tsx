import { Link } from "wouter";
import { useApprovals } from "../../api/approvals";
import { useRuns } from "../../api/runs";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import styles from "./Waiting.module.css";

/** What people are asked, those with the most at stake first. Not drawn where nobody is asked anything. */
export function Waiting() {
  const approvals = useApprovals();
  const waiting = useRuns({ status: "waiting", limit: 20 });
  const asked = approvals.data?.approvals ?? [];
  const questions = (waiting.data?.runs ?? []).filter((run) => !asked.some((approval) => approval.run_id === run.run));
  if (asked.length + questions.length === 0) return null;
  return (
    <Section title="Waiting for you" actions={<Link href="/approvals">All approvals</Link>}>
      <ul className={styles.list}>
        {asked.slice(0, 5).map((approval) => (
          <li key={approval.id}>
            <Link href={`/approvals/${approval.id}`} className={styles.item}>
              <Status status={approval.risk} word={`${approval.risk} risk`} plain />
              <span className={styles.words}>
                <SafeText text={approval.summary} />
              </span>
              <span className="quiet">
                <When at={approval.asked_at} />
              </span>
            </Link>
          </li>
        ))}
        {questions.slice(0, 5).map((run) => (
          <li key={run.run}>
            <Link href={`/runs/${run.run}`} className={styles.item}>
              <Status status="waiting" word="question" plain />
              <span className={styles.words}>
                <SafeText text={run.text} />
              </span>
              <span className="quiet">
                <When at={run.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
