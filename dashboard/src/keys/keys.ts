// Which keys do what, now: pages say theirs while they are shown, and `?` lists them.
import { useEffect, useRef, useSyncExternalStore } from "react";

export type Binding = { /** `j`, `Enter`, or two after each other: `g r`. */ keys: string; does: string; run: () => void };
export type Group = { title: string; bindings: Binding[] };

let groups: Group[] = [];
const listeners = new Set<() => void>();

function change(to: Group[]) {
  groups = to;
  for (const listener of listeners) listener();
}

/** Binds keys while the caller is drawn. Later groups win over earlier ones. */
export function useKeys(title: string, bindings: Binding[]) {
  const latest = useRef(bindings);
  latest.current = bindings;
  const named = bindings.map((binding) => `${binding.keys}=${binding.does}`).join("\n");
  useEffect(() => {
    const group: Group = {
      title,
      bindings: latest.current.map((binding) => ({
        ...binding,
        run: () => latest.current.find((now) => now.keys === binding.keys)?.run(),
      })),
    };
    change([...groups, group]);
    return () => change(groups.filter((other) => other !== group));
  }, [title, named]);
}

export function useKeyGroups(): Group[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => groups,
  );
}

let first: { key: string; at: number } | undefined;

/** Whether typing goes somewhere, so that letters are not commands. */
function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

export function listen(): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (event.key !== "Escape" && document.querySelector("dialog[open]")) return;
    // Buttons, links and rows have their own way with these.
    const own = event.target instanceof HTMLElement && event.target.closest("a, button, [role=tab], summary, tr");
    if (own && (event.key === "Enter" || event.key === " ")) return;
    const combined = first && event.timeStamp - first.at < 1200 ? `${first.key} ${event.key}` : undefined;
    const all = groups.toReversed().flatMap((group) => group.bindings);
    const found = (combined && all.find((binding) => binding.keys === combined)) || all.find((binding) => binding.keys === event.key);
    first = found ? undefined : { key: event.key, at: event.timeStamp };
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}
