import { lazy, Suspense } from "react";
import type { PlotProps } from "./PlotDrawn";

const PlotDrawn = lazy(() => import("./PlotDrawn"));

/** Lines or points over x, drawn with uPlot, which is only loaded where something is plotted. */
export function Plot(props: PlotProps) {
  return (
    <Suspense fallback={<div style={{ height: props.height ?? 200 }} />}>
      <PlotDrawn {...props} />
    </Suspense>
  );
}
