import type { Tool } from "../../api/tools";
import { Status } from "../../parts/Status";

const MARKS: Record<string, [string, string]> = { read: ["low", "reads"], egress: ["medium", "sends out"], write: ["high", "writes"] };

/** What a call does to the world, as shape, colour and word. */
export function EffectMark({ tool }: { tool: Pick<Tool, "effect" | "quarantined"> }) {
  if (tool.quarantined) return <Status status="withheld" tone="warn" word="held back" plain />;
  const [status, word] = MARKS[tool.effect] ?? ["pending", tool.effect];
  return <Status status={status} word={word} tone={tool.effect === "write" ? "warn" : undefined} plain />;
}
