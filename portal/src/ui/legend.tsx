import { type Part, Swatch } from "./charts.tsx";
import classes from "./legend.module.css";
import { Link } from "./link.tsx";
import { Money } from "./money.tsx";

/** A part of a bar, and the list of what it is made of. */
export type Entry = Pick<Part, "label" | "tone"> & { cents: number; to: string; note?: string };

/** The parts of a bar of money in words, each leading to its rows. */
export function Legend({ entries, currency }: { entries: readonly Entry[]; currency: string }) {
  return (
    <ul className={classes.legend}>
      {entries.map(({ label, tone, cents, to, note }) => (
        <li key={label} data-none={cents === 0 || undefined}>
          <Link to={to}>
            <span className={classes.name}>
              <Swatch tone={tone} />
              {label}
              {note && `, ${note}`}
            </span>
            <b>
              <Money cents={cents} currency={currency} />
            </b>
          </Link>
        </li>
      ))}
    </ul>
  );
}
