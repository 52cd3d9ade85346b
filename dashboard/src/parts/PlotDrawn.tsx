import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import styles from "./Plot.module.css";

export type PlotSeries = { label: string; values: (number | null)[]; tone?: "accent" | "good" | "bad" | "warn" | "idle"; dashed?: boolean; points?: boolean };
export type PlotProps = {
  /** What is shown, for screen readers. */
  label: string;
  x: number[];
  series: PlotSeries[];
  height?: number;
  /** Whether x is seconds since 1970. */
  time?: boolean;
  xLabel?: string;
  yLabel?: string;
  xRange?: [number, number];
  yRange?: [number, number];
  say?: (value: number) => string;
  sayX?: (value: number) => string;
};

export default function PlotDrawn(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const { x, series, height = 200 } = props;
  useEffect(() => {
    const host = place.current;
    if (!host || typeof Path2D === "undefined") return;
    let plot: uPlot | undefined;
    const make = () => {
      plot?.destroy();
      plot = new uPlot(options(props, host.clientWidth || 400), [x, ...series.map((one) => one.values)] as uPlot.AlignedData, host);
    };
    make();
    const size = new ResizeObserver(() => plot?.setSize({ width: host.clientWidth, height }));
    size.observe(host);
    const theme = new MutationObserver(make);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      size.disconnect();
      theme.disconnect();
      plot?.destroy();
    };
  }, [props, x, series, height]);
  return (
    <figure className={styles.plot}>
      <div ref={place} role="img" aria-label={props.label} style={{ minHeight: height, minWidth: 0 }} />
      {series.length > 1 && (
        <figcaption>
          {series.map((one) => (
            <span key={one.label}>
              <svg width="16" height="8" aria-hidden="true">
                <path d="M0 4h16" stroke={`var(--${one.tone ?? "accent"})`} strokeWidth="2" strokeDasharray={one.dashed ? "4 3" : undefined} />
              </svg>
              {one.label}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

function options({ series, height = 200, time = false, xLabel, yLabel, xRange, yRange, say, sayX }: PlotProps, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.getPropertyValue("--sans") || "sans-serif"}`;
  const axis = (label?: string): uPlot.Axis => ({
    label,
    labelFont: font,
    labelSize: label ? 16 : 0,
    font,
    stroke: colour("text-3"),
    grid: { stroke: colour("line"), width: 1 },
    ticks: { stroke: colour("line"), width: 1, size: 4 },
  });
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time, range: xRange }, y: { range: yRange } },
    axes: [{ ...axis(xLabel), size: 32, values: sayX ? (_, values) => values.map(sayX) : undefined }, { ...axis(yLabel), values: say ? (_, values) => values.map(say) : undefined }],
    series: [
      {},
      ...series.map((one) => ({
        label: one.label,
        stroke: colour(one.tone ?? "accent"),
        width: 1.5,
        dash: one.dashed ? [4, 4] : undefined,
        points: { show: one.points ?? false, size: 5 },
      })),
    ],
  };
}
