// Which page stands at which path. Each is loaded when it is first gone to; the one that is opened first is loaded at once.
import { lazy, type ComponentType } from "react";

type Load = () => Promise<{ default: ComponentType }>;

const LOADS: [path: string, load: Load][] = [
  ["/", () => import("./pages/home/Home")],
  ["/chat/:session", () => import("./pages/home/Home")],
  ["/runs", () => import("./pages/runs/Runs")],
  ["/runs/compare", () => import("./pages/compare/Compare")],
  ["/runs/:run", () => import("./pages/run/RunDetail")],
  ["/approvals/*?", () => import("./pages/approvals/Approvals")],
  ["/routes/*?", () => import("./pages/routes/Routes")],
  ["/learning/*?", () => import("./pages/learning/Learning")],
  ["/agents/*?", () => import("./pages/agents/Agents")],
  ["/cohorts/*?", () => import("./pages/agents/Agents")],
  ["/skills/*?", () => import("./pages/agents/Agents")],
  ["/tools/*?", () => import("./pages/tools/Tools")],
  ["/intents/*?", () => import("./pages/intents/Intents")],
  ["/settings/*?", () => import("./pages/settings/Settings")],
];

/** A page gets everything below its own path, and reads the rest of it with `useRoute`. */
export const PAGES = LOADS.map(([path, load]) => ({ path, Page: lazy(load) }));

/** Begins to load the page at a path, so that it need not wait until it is known who is signed in. */
export function preload(path: string) {
  const found = LOADS.find(([pattern]) => fits(pattern, path));
  void found?.[1]().catch(() => undefined);
}

export function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  const open = wanted.at(-1) === "*?";
  const parts = open ? wanted.slice(0, -1) : wanted;
  return (
    (open ? given.length >= parts.length : given.length === parts.length) &&
    parts.every((part, at) => part.startsWith(":") || part === given[at])
  );
}
