// Server-sent events out of pieces of text, wherever they were cut.

export type Message = { id?: string; event?: string; data: string };

export function reader(): (piece: string) => Message[] {
  let rest = "";
  return (piece) => {
    const blocks = (rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.flatMap(read);
  };
}

function read(block: string): Message[] {
  const message: Message = { data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "data") data.push(value);
    else if (field === "id") message.id = value;
    else if (field === "event") message.event = value;
  }
  return data.length ? [{ ...message, data: data.join("\n") }] : [];
}
