import { Link } from "wouter";
import { shortId } from "../words/format";
import { Button } from "./Button";
import styles from "./Id.module.css";
import { toast } from "./Toast";

const PLACES: [RegExp, string][] = [
  [/^run_/, "/runs/"],
  [/^apr_/, "/approvals/"],
  [/^lsn_/, "/learning/lessons/"],
  [/^exp_/, "/learning/experiments/"],
  [/^pat[-_]/, "/learning/patterns/"],
  [/^trc_/, "/learning/traces/"],
];

export function placeOf(id: string): string | undefined {
  const found = PLACES.find(([start]) => start.test(id));
  return found && found[1] + id;
}

/** An id, short, as a link to what it names. */
export function Id({ id, copy }: { id: string; copy?: boolean }) {
  const place = placeOf(id);
  const said = <span title={id}>{shortId(id)}</span>;
  return (
    <span className={styles.id}>
      {place ? <Link href={place}>{said}</Link> : said}
      {copy && (
        <Button
          look="quiet"
          icon="copy"
          aria-label="Copy the id"
          className={styles.copy}
          onClick={() => void navigator.clipboard.writeText(id).then(() => toast("Copied."))}
        />
      )}
    </span>
  );
}
