import { memo } from "react";
import { Link } from "wouter";
import type { Run } from "../../api/types";
import { SafeText } from "../../parts/SafeText";
import { Status } from "../../parts/Status";
import { When } from "../../parts/When";
import { duration, money, words } from "../../words/format";
import { isOver, standing } from "../../words/run";
import styles from "./RunRow.module.css";

type Props = { run: Run; top: number; here: boolean; nth: number };

export const RunRow = memo(function RunRow({ run, top, here, nth }: Props) {
  const over = isOver(run.status);
  const took = Date.parse(run.updated_at) - Date.parse(run.created_at);
  return (
    <Link
      href={`/runs/${run.run}`}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      role="row"
      aria-rowindex={nth}
      data-here={here || undefined}
    >
      <span role="cell">
        <Status status={standing(run)} plain />
      </span>
      <span role="cell" className={styles.text}>
        <SafeText text={run.text} />
        {run.flags.replanned && <span className={styles.flag}>replanned</span>}
        {run.flags.in_doubt && (
          <span className={styles.flag} data-doubt>
            in doubt
          </span>
        )}
        {run.parent && <span className={styles.flag}>fork</span>}
      </span>
      <span role="cell" className={styles.way}>
        {run.role ? words(run.role) : ""}
        {run.strategy && <span className="quiet"> {words(run.strategy)}</span>}
      </span>
      <span role="cell" className={styles.number}>
        {over ? duration(took) : ""}
      </span>
      <span role="cell" className={styles.number}>
        {money(run.spent.cost)}
      </span>
      <span role="cell" className={styles.when}>
        <When at={run.created_at} />
      </span>
    </Link>
  );
});
