import styles from "./Status.module.css";

export type Tone = "good" | "bad" | "warn" | "doubt" | "idle" | "accent";
type Shape = "disc" | "ring" | "cross" | "tick" | "half" | "diamond" | "dash" | "turning";

/** Everything that can be said of anything, as colour, shape and word. */
const KNOWN: Record<string, [Tone, Shape, string?]> = {
  pending: ["idle", "ring"],
  later: ["idle", "ring"],
  running: ["accent", "turning"],
  waiting: ["warn", "half"],
  completed: ["good", "tick"],
  failed: ["bad", "cross"],
  cancelled: ["idle", "dash"],
  done: ["good", "tick"],
  skipped: ["idle", "dash"],
  in_doubt: ["doubt", "diamond"],
  unknown: ["doubt", "diamond"],
  declared: ["idle", "ring"],
  sending: ["accent", "turning"],
  withheld: ["idle", "dash"],
  decided: ["good", "tick"],
  approved: ["good", "tick"],
  rejected: ["bad", "cross"],
  expired: ["idle", "dash"],
  withdrawn: ["idle", "dash"],
  retried: ["warn", "half"],
  active: ["good", "disc"],
  inactive: ["idle", "ring"],
  proposed: ["warn", "ring"],
  shadow: ["idle", "half"],
  canary: ["accent", "half"],
  retired: ["idle", "dash"],
  promoted: ["good", "tick"],
  rolled_back: ["bad", "cross"],
  stopped: ["idle", "dash"],
  revoked: ["bad", "cross"],
  high: ["bad", "diamond"],
  medium: ["warn", "half"],
  low: ["idle", "ring"],
};

type Props = { status: string; word?: string; tone?: Tone; plain?: boolean };

/** A state of something. `plain` draws it without a background, as in tables. */
export function Status({ status, word, tone, plain }: Props) {
  const [known, shape, said] = KNOWN[status] ?? (["idle", "ring"] as const);
  return (
    <span className={[styles.status, styles[tone ?? known], plain ? styles.plain : ""].join(" ")}>
      <Mark shape={shape} />
      {word ?? said ?? status.replaceAll("_", " ")}
    </span>
  );
}

/** Only the shape, for places where the word stands elsewhere. */
export function StatusMark({ status }: { status: string }) {
  const [tone, shape] = KNOWN[status] ?? (["idle", "ring"] as const);
  return (
    <span className={[styles.status, styles.plain, styles[tone]].join(" ")}>
      <Mark shape={shape} />
      <span className="unseen">{status.replaceAll("_", " ")}</span>
    </span>
  );
}

export function toneOf(status: string): Tone {
  return KNOWN[status]?.[0] ?? "idle";
}

function Mark({ shape }: { shape: Shape }) {
  return (
    <svg className={shape === "turning" ? styles.turning : undefined} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {shape === "disc" && <circle cx="6" cy="6" r="4" fill="currentColor" />}
      {shape === "ring" && <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />}
      {shape === "half" && (
        <>
          <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />
          <path d="M6 2a4 4 0 0 1 0 8Z" fill="currentColor" />
        </>
      )}
      {shape === "turning" && (
        <path d="M6 2a4 4 0 1 1-4 4" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      )}
      {shape === "diamond" && <path d="M6 1.500 10.500 6 6 10.500 1.500 6Z" fill="currentColor" />}
      {shape === "dash" && <path d="M2.500 6h7" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />}
      {shape === "tick" && (
        <path d="M2.200 6.300 4.900 9l5-6" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
      )}
      {shape === "cross" && <path d="m3 3 6 6M9 3 3 9" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />}
    </svg>
  );
}
