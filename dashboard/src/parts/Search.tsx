import { Icon } from "./Icon";
import styles from "./Search.module.css";

type Props = { label: string; value: string; onChange: (text: string) => void; placeholder?: string };

/** Narrows a list. `/` goes here. */
export function Search({ label, value, onChange, placeholder }: Props) {
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
