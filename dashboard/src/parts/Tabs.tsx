import { useEffect, useRef, type KeyboardEvent } from "react";
import styles from "./Tabs.module.css";

export type Tab<Id extends string> = { id: Id; label: string; count?: number };
type Props<Id extends string> = { label: string; tabs: Tab<Id>[]; value: Id; onChange: (id: Id) => void };

/** The panel belongs to the page: give it `role="tabpanel"` and `aria-labelledby={`tab-${id}`}`. */
export function Tabs<Id extends string>({ label, tabs, value, onChange }: Props<Id>) {
  const list = useRef<HTMLDivElement>(null);
  const counts = tabs.map((tab) => tab.count).join();
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [value, counts]);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === value);
    const to = tabs[(at + step + tabs.length) % tabs.length];
    if (!to) return;
    onChange(to.id);
    list.current?.querySelector<HTMLElement>(`#tab-${to.id}`)?.focus();
  };
  return (
    <div ref={list} className={styles.tabs} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={`tab-${tab.id}`}
          type="button"
          role="tab"
          aria-selected={tab.id === value}
          tabIndex={tab.id === value ? 0 : -1}
          className={styles.tab}
          onClick={() => onChange(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && <span className={styles.count}>{tab.count.toLocaleString("en")}</span>}
        </button>
      ))}
    </div>
  );
}
