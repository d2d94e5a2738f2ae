import classes from "./progress.module.css";

/** How much of something is done: `value` from 0 to 1. Its end is not animated, so that it never lags behind the number. */
export function Progress({ label, value, tone = "accent" }: { label: string; value: number; tone?: "accent" | "wait" | "bad" }) {
  const percent = Math.floor(value * 100);
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-tone={tone}
    >
      <div style={{ width: `${value * 100}%` }} />
    </div>
  );
}
