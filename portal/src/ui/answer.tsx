import { Link } from "./link.tsx";
import classes from "./parts.module.css";
import { Dot } from "./state.tsx";

/** The answer of the page: words recede, figures (`<b>`) stand. */
export function Answer({ children, sub }: { children: React.ReactNode; sub?: React.ReactNode }) {
  return (
    <div className={classes.answer}>
      <p>{children}</p>
      {sub && <div className={classes.sub}>{sub}</div>}
    </div>
  );
}

export type Figure = {
  name: string;
  value: React.ReactNode;
  /** A second currency, smaller. */
  also?: React.ReactNode;
  note?: React.ReactNode;
  trend?: React.ReactNode;
  /** The rows behind the number. */
  to?: string;
};

/** Numbers beside each other, each with the way to the rows behind it. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  const noted = figures.some(({ note }) => note);
  return (
    <ul className={classes.figures} style={{ "--count": figures.length } as React.CSSProperties}>
      {figures.map(({ name, value, also, note, trend, to }) => {
        const body = (
          <>
            <span className="muted">{name}</span>
            <span className={classes.value}>
              {value}
              {also && <small>{also}</small>}
            </span>
            {noted && <span className={classes.note}>{note}</span>}
            {trend && <span className={classes.trend}>{trend}</span>}
          </>
        );
        return (
          <li key={name}>
            {to === undefined ? (
              <div className={classes.figure}>{body}</div>
            ) : (
              <Link to={to} className={classes.figure}>
                {body}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

type BlockerProps = { tone?: "wait" | "bad"; title: React.ReactNode; children?: React.ReactNode; action?: React.ReactNode };

/** What stands in the way, and the one thing that clears it. */
export function Blocker({ tone = "wait", title, children, action }: BlockerProps) {
  return (
    <div className={classes.blocker} data-tone={tone} role="status">
      <Dot tone={tone} />
      <div>
        <strong>{title}</strong>
        {children && <span>{children}</span>}
      </div>
      {action}
    </div>
  );
}
