import { Skeleton } from "@mantine/core";
import classes from "./loading.module.css";

const WIDTHS = ["62%", "48%", "71%", "55%", "66%", "43%", "58%", "51%"];

/** Bars where text will stand, after 150 ms. */
export function Loading({ rows = 8 }: { rows?: number }) {
  return (
    <div className={classes.loading} role="status" aria-busy="true" aria-label="Loading">
      {WIDTHS.slice(0, rows).map((width) => (
        <Skeleton key={width} height={8} width={width} />
      ))}
    </div>
  );
}
