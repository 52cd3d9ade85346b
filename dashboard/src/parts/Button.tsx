import type { ButtonHTMLAttributes, Ref } from "react";
import styles from "./Button.module.css";
import { Icon, type IconName } from "./Icon";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: "plain" | "primary" | "danger" | "quiet";
  icon?: IconName;
  busy?: boolean;
  /** A key that does the same, shown beside the words. */
  hint?: string;
  ref?: Ref<HTMLButtonElement>;
};

/** With an icon and no children it needs an `aria-label`. */
export function Button({ look = "plain", icon, busy, hint, children, className, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      title={rest.title ?? (children ? undefined : rest["aria-label"])}
      className={[styles.button, styles[look], children ? "" : styles.bare, className].join(" ")}
    >
      {busy ? <span className={styles.busy} /> : icon && <Icon name={icon} />}
      {children}
      {hint && <kbd className={styles.hint}>{hint}</kbd>}
    </button>
  );
}
