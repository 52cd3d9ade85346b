// What of a run is looked at.

export const TABS = ["plan", "timeline", "events", "versions"] as const;
export type TabId = (typeof TABS)[number];
export type Selection = { event?: number; step?: string };
