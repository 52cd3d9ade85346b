// How numbers, moments and names are said. Everything takes the moment it is said at, so that it can be tested.

export function money(usd: number | null | undefined): string {
  if (usd === undefined || usd === null) return "–";
  if (usd === 0) return "$0";
  if (usd < 0.01) return `$${usd.toFixed(usd < 0.0001 ? 6 : 4)}`;
  return `$${usd.toFixed(2)}`;
}

export function count(number: number): string {
  if (number < 10_000) return number.toLocaleString("en");
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(1)}M`;
}

export function share(part: number, digits = 0): string {
  return `${(part * 100).toFixed(digits)}%`;
}

/** How long something took, in the two units that matter. */
export function duration(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** How long ago, or how soon. */
export function ago(moment: string | number | Date, now = Date.now()): string {
  const passed = now - new Date(moment).getTime();
  const size = Math.abs(passed);
  if (size < 10_000) return passed >= 0 ? "just now" : "in a moment";
  const said =
    size < 60_000
      ? `${Math.round(size / 1000)} s`
      : size < 3_600_000
        ? `${Math.round(size / 60_000)} min`
        : size < 48 * 3_600_000
          ? `${Math.round(size / 3_600_000)} h`
          : `${Math.round(size / 86_400_000)} d`;
  return passed >= 0 ? `${said} ago` : `in ${said}`;
}

/** A moment in full, in the reader's own zone. */
export function moment(at: string | number | Date): string {
  return new Date(at).toLocaleString("en-GB", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
}

/** `run_01a1df54…c724211a` as people read ids: the kind and the end, which differs. */
export function shortId(id: string): string {
  const at = id.indexOf("_");
  return at > 0 && id.length > at + 9 ? `${id.slice(0, at + 1)}${id.slice(-8)}` : id;
}

/** `task_graph` as words. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
