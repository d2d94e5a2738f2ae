import { ticksOf } from "./charts.tsx";
import classes from "./columns.module.css";
import { Link } from "./link.tsx";

/** One column: `label` stands below it, `name` says it in full to people who hear it. */
export type ColumnValue = { key: string; label: string; name: string; value: number; to?: string };

type Props = {
  /** What is drawn, for people who hear it. */
  label: string;
  columns: readonly ColumnValue[];
  format: (value: number) => string;
  /** As the axis says it; default: `format`. */
  tick?: (value: number) => string;
  height?: number;
};

/** Amounts of periods, each the way to the rows behind it. What was lost hangs below the line. The last one is named. */
export function ColumnChart({ label, columns, format, tick = format, height = 132 }: Props) {
  const values = columns.map(({ value }) => value);
  const up = ticksOf(Math.max(0, ...values));
  const step = up[1] ?? 1;
  const below = Math.ceil(Math.max(0, -Math.min(0, ...values)) / step);
  const ticks = [...Array.from({ length: below }, (_, index) => (index - below) * step), ...up];
  const low = ticks[0] ?? 0;
  const range = (ticks.at(-1) ?? 1) - low || 1;
  const percent = (value: number) => `${((value - low) / range) * 100}%`;
  // The last one's name is always shown; a long one reaches over the columns before it, so it stands above them.
  const nameAt = (index: number) => {
    const long = index === values.length - 1 && format(values[index] ?? 0).length > 4;
    return Math.max(0, ...values.slice(long ? -3 : index, index + 1));
  };
  return (
    <div className={classes.chart}>
      <div className={classes.ticks} style={{ height }} aria-hidden>
        {ticks.map((value) => (
          <span key={value} style={{ bottom: percent(value) }}>
            {value === 0 ? "0" : tick(value)}
          </span>
        ))}
      </div>
      <div className={classes.plot} style={{ height }}>
        {ticks.map((value) => (
          <i key={value} data-base={value === 0 || undefined} style={{ bottom: percent(value) }} />
        ))}
        <ul aria-label={label}>
          {columns.map(({ key, name, value, to }, index) => {
            const size = `${(Math.abs(value) / range) * 100}%`;
            const drawn = (
              <>
                {value !== 0 && (
                  <span
                    className={classes.bar}
                    data-down={value < 0 || undefined}
                    style={{ height: size, bottom: percent(Math.min(0, value)) }}
                  />
                )}
                <span className={classes.value} style={{ bottom: percent(nameAt(index)) }} aria-hidden>
                  {format(value)}
                </span>
              </>
            );
            const text = `${name}: ${format(value)}`;
            return (
              <li key={key} data-now={index === columns.length - 1 || undefined}>
                {to === undefined ? (
                  <span role="img" aria-label={text}>
                    {drawn}
                  </span>
                ) : (
                  <Link to={to} aria-label={text}>
                    {drawn}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      <div className={classes.names} data-many={columns.length > 12 || undefined} aria-hidden>
        {columns.map(({ key, label: text }) => (
          <span key={key}>{text}</span>
        ))}
      </div>
    </div>
  );
}
