// Which parts of a prompt are points of a guideline.
import type { Guideline, Point } from "./events";

export type Told = Point & { agent: string; version: string };
export type PromptPiece = { text: string; point?: Told };

export function pointsOf(guidelines: Guideline[]): Told[] {
  return guidelines.flatMap(({ agent, version, points }) => points.map((point) => ({ ...point, agent, version })));
}

/** What a component is told to heed: its own points and those for all. */
export function pointsFor(component: string, guidelines: Guideline[]): Told[] {
  return pointsOf(guidelines.filter(({ agent }) => agent === "all" || agent === component));
}

/** The prompt in pieces, those that are a point with the point. Each point stands in a line of its own. */
export function marked(prompt: string, points: Told[]): PromptPiece[] {
  const pieces: PromptPiece[] = [];
  let rest = "";
  const lines = prompt.split("\n");
  lines.forEach((line, at) => {
    const ending = at < lines.length - 1 ? "\n" : "";
    const point = points.find((one) => line.trim().replace(/^-\s*/, "") === one.text.trim().replace(/\s+/g, " "));
    if (!point) {
      rest += line + ending;
      return;
    }
    if (rest) pieces.push({ text: rest });
    pieces.push({ text: line, point });
    rest = ending;
  });
  if (rest) pieces.push({ text: rest });
  return pieces;
}
