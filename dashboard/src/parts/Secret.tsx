import { Button } from "./Button";
import styles from "./Secret.module.css";
import { toast } from "./Toast";

/** Something that is shown once, to be copied. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.secret}>
      <input aria-label={label} className="mono" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      <Button icon="copy" onClick={() => void navigator.clipboard.writeText(value).then(() => toast("Copied."))}>
        Copy
      </Button>
    </div>
  );
}
