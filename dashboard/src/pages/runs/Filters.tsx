import { useEffect, useState } from "react";
import type { RunFilter } from "../../api/runs";
import { Button } from "../../parts/Button";
import { Check, Input, Select } from "../../parts/Field";
import { isFiltered, localMinute } from "./filter";
import styles from "./Filters.module.css";

const STATUSES = ["running", "waiting", "completed", "failed", "cancelled", "pending"];
const STRATEGIES = ["task_graph", "single_agent", "cohort"];

type Change = (changes: Record<string, string | undefined>) => void;

export function Filters({ filter, onChange }: { filter: RunFilter; onChange: Change }) {
  const [more, setMore] = useState(Boolean(filter.since ?? filter.until ?? filter.role));
  const moment = (value: string) => (value ? new Date(value).toISOString() : undefined);
  const clear = () =>
    onChange(
      Object.fromEntries(
        ["status", "strategy", "role", "session", "parent", "text", "since", "until", "in_doubt", "replanned"].map(
          (name) => [name, undefined],
        ),
      ),
    );
  return (
    <div className={styles.filters} role="search" aria-label="Runs">
      <div className={styles.row}>
        <Slow
          key={filter.text ?? ""}
          label="Words in request or answer"
          value={filter.text ?? ""}
          search
          onChange={(text) => onChange({ text })}
        />
        <Select
          label="Status"
          bare
          value={filter.status ?? ""}
          onChange={(event) => onChange({ status: event.target.value })}
          options={choices("Any status", STATUSES, filter.status)}
        />
        <Select
          label="Strategy"
          bare
          value={filter.strategy ?? ""}
          onChange={(event) => onChange({ strategy: event.target.value })}
          options={choices("Any strategy", STRATEGIES, filter.strategy)}
        />
        <Button icon="filter" aria-expanded={more} onClick={() => setMore(!more)}>
          More
        </Button>
        {isFiltered(filter) && (
          <Button look="quiet" icon="close" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      {more && (
        <div className={styles.row}>
          <Slow
            key={filter.role ?? ""}
            label="Role"
            value={filter.role ?? ""}
            onChange={(role) => onChange({ role })}
          />
          <label className={styles.date}>
            From
            <input
              type="datetime-local"
              value={localMinute(filter.since)}
              onChange={(event) => onChange({ since: moment(event.target.value) })}
            />
          </label>
          <label className={styles.date}>
            to
            <input
              type="datetime-local"
              value={localMinute(filter.until)}
              onChange={(event) => onChange({ until: moment(event.target.value) })}
            />
          </label>
          <Check
            label="Replanned"
            checked={filter.replanned ?? false}
            onChange={(event) => onChange({ replanned: event.target.checked ? "true" : undefined })}
          />
          <Check
            label="In doubt"
            checked={filter.in_doubt ?? false}
            onChange={(event) => onChange({ in_doubt: event.target.checked ? "true" : undefined })}
          />
        </div>
      )}
    </div>
  );
}

/** Words take effect a moment after the last key. */
function Slow({
  label,
  value,
  search,
  onChange,
}: {
  label: string;
  value: string;
  search?: boolean;
  onChange: (to: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), 300);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <Input
      label={label}
      bare
      placeholder={label}
      autoFocus={search && value !== ""}
      data-search={search || undefined}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
    />
  );
}

function choices(any: string, known: string[], chosen: string | undefined) {
  const all = chosen && !known.includes(chosen) ? [...known, chosen] : known;
  return [
    { value: "", label: any },
    ...all.map((value) => ({ value, label: value.replaceAll("_", " ").replaceAll(",", ", ") })),
  ];
}
