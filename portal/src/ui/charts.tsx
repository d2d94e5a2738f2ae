import { useElementSize } from "@mantine/hooks";
import classes from "./charts.module.css";
import { Link } from "./link.tsx";

type Point = readonly [number, number];

const path = (points: readonly Point[]) => points.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join("");
const rounded = (value: number) => Math.round(value * 10) / 10;

function pointsOf(values: readonly number[], width: number, height: number, pad: number): readonly Point[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return values.map((value, index) => [
    rounded(pad + (index * (width - 2 * pad)) / Math.max(1, values.length - 1)),
    rounded(height - pad - ((value - low) / (high - low || 1)) * (height - 2 * pad)),
  ]);
}

type SparkProps = {
  values: readonly number[];
  width?: number;
  height?: number;
  tone?: "ink" | "accent" | "bad";
  label: string;
};

/** No axes, no fill: a direction. The last point is marked, because it is the one being read. */
export function Sparkline({ values, width = 72, height = 20, tone = "ink", label }: SparkProps) {
  const points = pointsOf(values, width, height, 2.5);
  const last = points.at(-1);
  if (last === undefined) return null;
  return (
    <svg className={classes.spark} data-tone={tone} width={width} height={height} role="img" aria-label={label}>
      <path d={path(points)} fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinejoin="round" strokeLinecap="round" />
      <circle cx={last[0]} cy={last[1]} r="2" fill="currentColor" />
    </svg>
  );
}

export type ChartPoint = { label: string; value: number; to?: string };

type LineProps = {
  /** What is drawn, in a sentence, for people who hear it. */
  label: string;
  points: readonly ChartPoint[];
  format: (value: number) => string;
  height?: number;
};

/** Up to five round steps that hold the highest value. Values are whole, of counts and of minor units, and so are the steps. */
export function ticksOf(highest: number): readonly number[] {
  const rough = Math.max(1, highest) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = Math.ceil(([1, 2, 2.5, 3, 5, 10].find((factor) => factor * unit >= rough) ?? 10) * unit);
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

const LEFT = 60;

/** One line over a flat wash, drawn at the width it has, so that type keeps its size. A table says the same. */
export function LineChart({ label, points: data, format, height = 212 }: LineProps) {
  const { ref, width: measured } = useElementSize();
  const width = measured || 720;
  const ticks = ticksOf(Math.max(0, ...data.map(({ value }) => value)));
  const floor = height - 22;
  const high = ticks.at(-1) || 1;
  const y = (value: number) => 8 + (1 - value / high) * (floor - 8);
  const points: readonly Point[] = data.map(({ value }, index) => [
    rounded(LEFT + (index * (width - LEFT - 8)) / Math.max(1, data.length - 1)),
    rounded(y(value)),
  ]);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  // The name of the last point stands on the side that the line does not come from.
  const falls = (points.at(-2)?.[1] ?? last[1]) < last[1];
  const every = Math.ceil(data.length / Math.max(2, Math.floor(width / 90)));
  return (
    <div ref={ref} style={{ minHeight: height }}>
      <svg className={classes.area} width={width} height={height} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={LEFT}
              x2={width}
              y1={Math.round(y(tick)) + 0.5}
              y2={Math.round(y(tick)) + 0.5}
              className={tick === 0 ? classes.base : classes.grid}
            />
            <text x="0" y={y(tick) + 4}>
              {format(tick)}
            </text>
          </g>
        ))}
        <path d={`${path(points)}L${last[0]} ${floor}L${first[0]} ${floor}Z`} className={classes.wash} />
        <path d={path(points)} className={classes.stroke} />
        <line x1={last[0]} x2={last[0]} y1={last[1]} y2={floor} className={classes.drop} />
        <circle cx={last[0]} cy={last[1]} r="3.5" className={classes.point} />
        <text x={last[0] - 10} y={Math.max(12, last[1] + (falls ? 18 : -6))} textAnchor="end" className={classes.last}>
          {format(data.at(-1)?.value ?? 0)}
        </text>
        {data.map((point, index) => {
          if ((data.length - 1 - index) % every !== 0) return null;
          const anchor = index === 0 ? "start" : index === data.length - 1 ? "end" : "middle";
          return (
            <text key={point.label} x={points[index]?.[0]} y={height - 4} textAnchor={anchor} dx={anchor === "end" ? 8 : 0}>
              {point.label}
            </text>
          );
        })}
      </svg>
      <Twin label={label} points={data} format={format} />
    </div>
  );
}

/** The same as a table, for those who cannot see the line. */
function Twin({ label, points, format }: LineProps) {
  return (
    <table className={classes.twin}>
      <caption>{label}</caption>
      <tbody>
        {points.map((point) => (
          <tr key={point.label}>
            <th scope="row">{point.to ? <Link to={point.to}>{point.label}</Link> : point.label}</th>
            <td>{format(point.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type BarsProps = { label: string; bars: readonly { key: string; value: number; bad?: number }[]; height?: number };

/** Bars over time; failures stand on top in red. */
export function Bars({ label, bars, height = 64 }: BarsProps) {
  const width = 480;
  const high = Math.max(1, ...bars.map(({ value, bad = 0 }) => value + bad));
  const step = width / Math.max(1, bars.length);
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ height }}
      role="img"
      aria-label={label}
    >
      {bars.map(({ key, value, bad = 0 }, index) => {
        const low = (value / high) * (height - 2);
        const top = (bad / high) * (height - 2);
        return (
          <g key={key}>
            <rect x={index * step} width={step - 2} y={height - low} height={low} className={classes.bar} />
            {top > 0 && (
              <rect x={index * step} width={step - 2} y={height - low - top - 1} height={top} className={classes.bad} />
            )}
          </g>
        );
      })}
    </svg>
  );
}

export type Part = { label: string; value: number; tone: "accent" | "mid" | "stuck" | "wait" | "bad" | "rest" };

/** A whole and its parts, in one bar. Small parts still show as two pixels; "stuck" is hatched: yours, but it cannot flow. */
export function Stack({ parts, height = 8, label }: { parts: readonly Part[]; height?: number; label: string }) {
  return (
    <span className={classes.stack} style={{ height }} role="img" aria-label={label}>
      {parts.map((part) =>
        part.value > 0 ? <span key={part.label} data-tone={part.tone} style={{ flexGrow: part.value }} /> : null,
      )}
    </span>
  );
}

/** The mark of a part in words beside its bar. */
export function Swatch({ tone }: Pick<Part, "tone">) {
  return <i className={classes.swatch} data-tone={tone} aria-hidden="true" />;
}

/** A share of a whole, from 0 to 1, as a thin bar under a row. */
export function Share({ value, tone = "accent" }: { value: number; tone?: "accent" | "ink" }) {
  return (
    <span className={classes.share} data-tone={tone} aria-hidden="true">
      <span style={{ width: `${Math.min(1, value) * 100}%` }} />
    </span>
  );
}
