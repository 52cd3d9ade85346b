/** The course of a few numbers, without axes: what they are is said in `label`. */
export function Sparkline({ values, label, width = 160, height = 32 }: { values: number[]; label: string; width?: number; height?: number }) {
  const most = Math.max(...values, 0);
  const gap = 2;
  const each = width / Math.max(values.length, 1);
  return (
    <svg role="img" aria-label={label} width="100%" height={height} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {values.map((value, at) => {
        const tall = most > 0 ? Math.max((value / most) * (height - 1), value > 0 ? 1.5 : 0) : 0;
        return (
          <g key={at}>
            <rect x={at * each} y={height - 1} width={Math.max(each - gap, 1)} height={1} fill="var(--line-strong)" />
            <rect x={at * each} y={height - tall} width={Math.max(each - gap, 1)} height={tall} fill="var(--accent)" />
          </g>
        );
      })}
    </svg>
  );
}
