import classes from "./parts.module.css";
import { When } from "./when.tsx";

export type Moment = {
  id: string;
  icon: React.ReactNode;
  what: React.ReactNode;
  more?: React.ReactNode;
  at: string;
  tone?: "accent" | "bad" | undefined;
};

/** What happened, newest first. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol className={classes.timeline}>
      {moments.map(({ id, icon, what, more, at, tone }) => (
        <li key={id}>
          <span className={classes.node} data-tone={tone}>
            {icon}
          </span>
          <div className={classes.what}>
            <p>{what}</p>
            {more && <div className={classes.more}>{more}</div>}
          </div>
          <When at={at} />
        </li>
      ))}
    </ol>
  );
}
