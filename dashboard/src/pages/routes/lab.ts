// What the route lab says about a judgement, in words and numbers: pure, so that it can be tested.
import type { Certified, Explained, Quality } from "../../api/routes";
import { share } from "../../words/format";

const DECISIONS: Record<Explained["decision"], [string, string, string]> = {
  fast: ["good", "completed", "It is answered at once, without a plan."],
  ask: ["accent", "waiting", "Something is asked first; then it is answered without a plan."],
  compose: ["good", "completed", "It wants several things, each of them clear: they are done without a model."],
  unsure: ["warn", "waiting", "It is neither clear nor hopeless: a model decides, or it is planned."],
  plan: ["idle", "pending", "It is planned."],
};

export function decisionWords(decision: Explained["decision"]): { tone: string; shape: string; words: string } {
  const [tone, shape, words] = DECISIONS[decision] ?? ["idle", "pending", decision];
  return { tone, shape, words };
}

/** What is promised about a role's fast answers, in a sentence. */
export function promiseWords(certified: Certified | undefined): string {
  if (!certified) return "It never answers without a plan.";
  if (certified.threshold === undefined || certified.threshold === null) return certified.why_not ?? "Nothing is promised, so it does not answer fast.";
  const { alpha, delta, threshold, samples } = certified;
  return `From ${share(threshold, 1)} on, at most ${share(alpha, 1)} of fast answers are wrong, except with a chance of ${share(delta)}; from ${samples} labelled requests.`;
}

export function promiseStatus(certified: Certified | undefined): { status: string; word: string } {
  if (!certified) return { status: "skipped", word: "always planned" };
  if (certified.withdrawn) return { status: "revoked", word: "withdrawn" };
  if (certified.threshold === undefined || certified.threshold === null) return { status: "inactive", word: "abstains" };
  return { status: "active", word: "promised" };
}

/** A probability that is nearly certain is not said to be. */
export function sure(value: number): string {
  return value > 0.999 && value < 1 ? ">99.9%" : share(value, 1);
}

/** Signals that are probabilities can be drawn as bars; counts cannot. */
export function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

/** The mean distance between confidence and correctness, each bar weighted by how many answers it stands for. */
export function calibrationError(bars: Quality["reliability"]): number {
  const all = bars.reduce((sum, bar) => sum + bar.count, 0);
  return all === 0 ? 0 : bars.reduce((sum, bar) => sum + (bar.count / all) * Math.abs(bar.confidence - bar.right), 0);
}

/** The largest share of requests that can be answered fast while the bound stays within what is tolerated. */
export function bestCoverage(quality: Quality): Quality["risk_coverage"][number] | undefined {
  return quality.risk_coverage.filter((point) => Math.max(point.bound, point.risk) <= quality.alpha).toSorted((a, b) => b.coverage - a.coverage)[0];
}

/** Points as a plot wants them: by coverage, each coverage once. */
export function byCoverage(points: Quality["risk_coverage"]): Quality["risk_coverage"] {
  const seen = new Map(points.map((point) => [point.coverage, point]));
  return [...seen.values()].toSorted((a, b) => a.coverage - b.coverage);
}
