import type { Finding } from "../../api/proposal";
import { Status } from "../../parts/Status";
import { Ticked } from "../../parts/Ticked";
import styles from "./Approvals.module.css";

const WEIGHTS = { fatal: ["failed", "stands in the way"], approval: ["waiting", "needs a person"], notice: ["pending", "worth knowing"] } as const;

export function Findings({ findings }: { findings: Finding[] }) {
  return (
    <ul className={styles.findings} aria-label="Findings">
      {findings.map((finding, at) => (
        <li key={at}>
          <Status status={WEIGHTS[finding.weight][0]} word={WEIGHTS[finding.weight][1]} plain />
          <span>
            {finding.step && <code>{finding.step}: </code>}
            <Ticked text={finding.says} /> <span className="quiet mono">{finding.code}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
