// What changed between two texts, line by line.

export type Line = { sign: " " | "+" | "-"; text: string };

/** The shortest way from one text to another; very long texts are replaced as a whole. */
export function changedLines(before: string, after: string): Line[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  if (a.length * b.length > 4_000_000) {
    return [...a.map((text) => ({ sign: "-" as const, text })), ...b.map((text) => ({ sign: "+" as const, text }))];
  }
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: " ", text: a[i] ?? "" });
      i++;
      j++;
    } else if (
      i < a.length &&
      (j === b.length || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push({ sign: "-", text: a[i++] ?? "" });
    } else {
      lines.push({ sign: "+", text: b[j++] ?? "" });
    }
  }
  return lines;
}

export type Shown = Line | { sign: "…"; lines: number };

/** Long stretches in which nothing changed become one line that says how long they are. */
export function folded(lines: Line[], around = 3): Shown[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(at - around, 0), at + around + 1).some((line) => line.sign !== " "),
  );
  const shown: Shown[] = [];
  lines.forEach((line, at) => {
    const last = shown.at(-1);
    if (near[at]) shown.push(line);
    else if (last?.sign === "…") last.lines += 1;
    else shown.push({ sign: "…", lines: 1 });
  });
  return shown;
}
