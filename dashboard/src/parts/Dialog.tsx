import { useEffect, useId, useRef, type ReactNode } from "react";
import { Button } from "./Button";
import styles from "./Dialog.module.css";

type Props = { title: string; onClose: () => void; children: ReactNode; /** Buttons at the foot. */ foot?: ReactNode; wide?: boolean };

/** A question or a list over everything else. `Esc`, the cross and the backdrop close it. */
export function Dialog({ title, onClose, children, foot, wide }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const label = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    // Left alone, the browser begins at the cross.
    dialog?.querySelector<HTMLElement>("[data-first], form :is(input, select, textarea):not([hidden])")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={[styles.dialog, wide ? styles.wide : ""].join(" ")}
      aria-labelledby={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <header className={styles.head}>
        <h2 id={label}>{title}</h2>
        <Button look="quiet" icon="close" aria-label="Close" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </dialog>
  );
}
