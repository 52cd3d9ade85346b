// Characters that are not seen but change what is: they are shown as marks instead.

export type Piece = { text: string } | { mark: string; says: string };

const NAMES: Record<number, string> = {
  0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0d: "CR", 0x1b: "ESC", 0x7f: "DEL",
  0x00ad: "SHY", 0x061c: "ALM", 0x180e: "MVS", 0x200b: "ZWSP", 0x200e: "LRM", 0x200f: "RLM",
  0x2028: "LSEP", 0x2029: "PSEP", 0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO",
  0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};

/* Controls but tab and line feed, bidirectional and invisible formatting, tags, private use. Joiners stay: scripts and emoji need them. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{f0000}-\u{10ffff}]/gu;

export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.replaceAll("\r\n", "\n").matchAll(UNSEEN)) {
    const whole = match.input;
    if (match.index > from) found.push({ text: whole.slice(from, match.index) });
    const code = match[0].codePointAt(0) ?? 0;
    const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    found.push({ mark: NAMES[code] ?? point, says: `an unseen character: ${point}` });
    from = match.index + match[0].length;
  }
  const whole = text.replaceAll("\r\n", "\n");
  if (from < whole.length) found.push({ text: whole.slice(from) });
  return found;
}
