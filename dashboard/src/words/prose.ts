// The little of Markdown that answers use, as data: paragraphs, lists, code, headings; bold, code, links. Never HTML, never images.

export type Span =
  { kind: "text" | "bold" | "italic" | "code"; text: string } | { kind: "link"; text: string; url: string };
export type Block =
  | { kind: "paragraph" | "heading" | "quote"; spans: Span[] }
  | { kind: "list"; ordered: boolean; items: Span[][] }
  | { kind: "code"; text: string };

const INLINE =
  /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(?<![\w*])(\*[^*\s][^*\n]*\*)(?![\w*])|!?\[([^\]\n]*)\]\((\S+?)\)|(https?:\/\/[^\s<>()]+[^\s<>().,;:!?])/g;

export function spans(text: string): Span[] {
  const found: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) found.push({ kind: "text", text: text.slice(from, match.index) });
    const [whole, code, bold, italic, label, url, bare] = match;
    if (code) found.push({ kind: "code", text: code.slice(1, -1) });
    else if (bold) found.push({ kind: "bold", text: bold.slice(2, -2) });
    else if (italic) found.push({ kind: "italic", text: italic.slice(1, -1) });
    else if (bare) found.push({ kind: "link", text: bare, url: bare });
    // A label can say anything; only what leads somewhere on the web is a link, and its address is shown. Pictures stay text.
    else if (url && /^https?:\/\//.test(url) && !whole.startsWith("!"))
      found.push({ kind: "link", text: label ?? "", url });
    else found.push({ kind: "text", text: whole });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  let open: string[] = [];
  const close = () => {
    if (open.length) found.push({ kind: "paragraph", spans: spans(open.join("\n")) });
    open = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const item = /^\s*(?:([-*•])|(\d+)[.)])\s+(.*)$/.exec(line);
    if (/^\s*```/.test(line)) {
      close();
      const code: string[] = [];
      for (at++; at < lines.length && !/^\s*```/.test(lines[at] ?? ""); at++) code.push(lines[at] ?? "");
      found.push({ kind: "code", text: code.join("\n") });
    } else if (item) {
      close();
      const ordered = item[2] !== undefined;
      const last = found.at(-1);
      const list =
        last?.kind === "list" && last.ordered === ordered ? last : { kind: "list" as const, ordered, items: [] };
      if (list !== last) found.push(list);
      list.items.push(spans(item[3] ?? ""));
    } else if (/^#{1,6}\s/.test(line)) {
      close();
      found.push({ kind: "heading", spans: spans(line.replace(/^#+\s+/, "")) });
    } else if (/^>\s?/.test(line)) {
      close();
      found.push({ kind: "quote", spans: spans(line.replace(/^>\s?/, "")) });
    } else if (line.trim() === "") {
      close();
    } else {
      open.push(line);
    }
  }
  close();
  return found;
}
