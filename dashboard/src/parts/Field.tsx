import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, type TextareaHTMLAttributes } from "react";
import styles from "./Field.module.css";

type Around = { label: string; hint?: ReactNode; problem?: string; /** The label is only for screen readers. */ bare?: boolean };

function Labelled({ label, hint, problem, bare, id, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={bare ? "unseen" : styles.label}>
        {label}
      </label>
      {children}
      {hint && <p className={styles.hint}>{hint}</p>}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

type InputProps = Around & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export function Input({ label, hint, problem, bare, className, ...rest }: InputProps) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, problem, bare, id }}>
      <input id={id} aria-invalid={problem ? true : undefined} {...rest} className={[styles.control, className].join(" ")} />
    </Labelled>
  );
}

type AreaProps = Around & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement>; mono?: boolean };

export function Area({ label, hint, problem, bare, mono, className, ...rest }: AreaProps) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, problem, bare, id }}>
      <textarea
        id={id}
        aria-invalid={problem ? true : undefined}
        {...rest}
        className={[styles.control, styles.area, mono ? "mono" : "", className].join(" ")}
      />
    </Labelled>
  );
}

type SelectProps = Around & SelectHTMLAttributes<HTMLSelectElement> & { options: { value: string; label: string }[] };

export function Select({ label, hint, problem, bare, options, className, ...rest }: SelectProps) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, problem, bare, id }}>
      <select id={id} {...rest} className={[styles.control, styles.select, className].join(" ")}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function Check({ label, ...rest }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...rest} />
      {label}
    </label>
  );
}
