/** What the server says in passing, as a sentence that stands alone: a capital at its start, a full stop at its end. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const begun = /^[a-z]/.test(trimmed) ? trimmed[0]!.toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?…”]$/.test(begun) ? begun : `${begun}.`;
}
