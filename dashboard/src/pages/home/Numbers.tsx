import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Overview } from "../../api/overview";
import { useHistogram } from "../../api/runs";
import { Failing } from "../../parts/Failing";
import { Loading } from "../../parts/Loading";
import { Sparkline } from "../../parts/Sparkline";
import { count, money, plural } from "../../words/format";
import styles from "./Numbers.module.css";

/** Running, waiting for you, spend. */
export function Numbers({ overview }: { overview: UseQueryResult<Overview> }) {
  const fortnight = useHistogram({ since: daysAgo(13) });
  if (!overview.data) {
    return overview.isError ? (
      <Failing error={overview.error} again={() => void overview.refetch()} />
    ) : (
      <Loading lines={2} />
    );
  }
  const { running, waiting, in_doubt, today, month } = overview.data;
  const bars = fortnight.data?.bars ?? [];
  const spent = bars.some((bar) => bar.cost > 0);
  return (
    <section className={styles.numbers} aria-label="How things stand">
      <Figure label="Running" href="/runs?status=running,pending" value={running} />
      <Figure
        label="Waiting for you"
        href="/runs?status=waiting"
        value={waiting}
        tone={waiting > 0 ? "warn" : undefined}
      />
      {in_doubt > 0 && <Figure label="In doubt" href="/runs?in_doubt=true" value={in_doubt} tone="doubt" />}
      <Figure label="Runs today" href={`/runs?since=${encodeURIComponent(daysAgo(0))}`} value={count(today.runs)}>
        {today.failed > 0 && <span className={styles.bad}>{count(today.failed)} failed</span>}
      </Figure>
      <Figure label="Spent today" value={money(today.cost)}>
        <span>
          {money(month.cost)} this month, {plural(month.input_tokens + month.output_tokens, "token")}
        </span>
      </Figure>
      <div className={styles.chart}>
        <Sparkline
          values={bars.map((bar) => (spent ? bar.cost : bar.runs))}
          label={`${spent ? "Spend" : "Runs"} over two weeks`}
          height={36}
        />
        <span className={styles.caption}>{spent ? "spend" : "runs"}, 14 days</span>
      </div>
    </section>
  );
}

type FigureProps = { label: string; value: ReactNode; href?: string; tone?: "warn" | "doubt"; children?: ReactNode };

function Figure({ label, value, href, tone, children }: FigureProps) {
  const said = <strong className={tone ? styles[tone] : undefined}>{value}</strong>;
  return (
    <div className={styles.figure}>
      <span className={styles.label}>{label}</span>
      {href ? <Link href={href}>{said}</Link> : said}
      {children && <span className={styles.more}>{children}</span>}
    </div>
  );
}

function daysAgo(days: number): string {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - days);
  return day.toISOString();
}
