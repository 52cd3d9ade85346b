// The pages there are, in the order of the navigation.
import type { IconName } from "../parts/Icon";

export type Place = { path: string; title: string; icon: IconName; key: string; /** On the bar at the bottom of phones. */ thumb?: boolean };

export const PLACES: Place[] = [
  { path: "/", title: "Home", icon: "home", key: "h", thumb: true },
  { path: "/runs", title: "Runs", icon: "runs", key: "r", thumb: true },
  { path: "/approvals", title: "Approvals", icon: "approvals", key: "a", thumb: true },
  { path: "/routes", title: "Route lab", icon: "routes", key: "l" },
  { path: "/learning", title: "Learning", icon: "learning", key: "e", thumb: true },
  { path: "/agents", title: "Agents and cohorts", icon: "agents", key: "c" },
  { path: "/tools", title: "Tools", icon: "tools", key: "t" },
  { path: "/intents", title: "Intents", icon: "intents", key: "i" },
  { path: "/settings", title: "Settings and keys", icon: "settings", key: "s" },
];

export function isHere(place: Place, location: string): boolean {
  return place.path === "/" ? location === "/" || location.startsWith("/chat/") : location === place.path || location.startsWith(`${place.path}/`);
}
