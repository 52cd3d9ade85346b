import { useEffect, useSyncExternalStore } from "react";
import { Problem } from "../api/client";
import { Button } from "./Button";
import { SafeText } from "./SafeText";
import styles from "./Toast.module.css";

type Notice = { id: number; text: string; bad: boolean };

let notices: Notice[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(to: Notice[]) {
  notices = to;
  for (const listener of listeners) listener();
}

/** Says something in passing. */
export function toast(text: string) {
  change([...notices.slice(-2), { id: next++, text, bad: false }]);
}

/** Says what went wrong, in the server's words. */
export function toastProblem(error: unknown) {
  const text = error instanceof Problem || error instanceof Error ? error.message : String(error);
  change([...notices.slice(-2), { id: next++, text, bad: true }]);
}

export function Toasts() {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {all.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function Toast({ notice }: { notice: Notice }) {
  const gone = () => change(notices.filter((other) => other.id !== notice.id));
  useEffect(() => {
    const timer = setTimeout(gone, notice.bad ? 12_000 : 5_000);
    return () => clearTimeout(timer);
  });
  return (
    <div className={[styles.toast, notice.bad ? styles.bad : ""].join(" ")}>
      <span>
        <SafeText text={notice.text} />
      </span>
      <Button look="quiet" icon="close" aria-label="Dismiss" onClick={gone} />
    </div>
  );
}
