import { Code } from "./code.tsx";
import classes from "./empty.module.css";

/** Three rows that will stand here: the shape of a list, in hairlines. */
function Ghost() {
  return (
    <svg className={classes.ghost} viewBox="0 0 420 116" fill="none" aria-hidden="true">
      {[104, 82, 122].map((width, row) => (
        <g key={width} transform={`translate(0 ${row * 36})`} opacity={1 - row * 0.28}>
          <rect x="0" y="11" width="14" height="14" rx="4" />
          <rect x="26" y="14" width={width} height="8" rx="4" />
          <rect x="226" y="14" width={[40, 52, 34][row]} height="8" rx="4" />
          <rect x="318" y="14" width="32" height="8" rx="4" />
          <rect x="374" y="14" width="46" height="8" rx="4" />
          <line x1="0" x2="420" y1="36" y2="36" />
        </g>
      ))}
    </svg>
  );
}

type Props = {
  title: string;
  children: React.ReactNode;
  /** One button, perhaps a link beside it. */
  action?: React.ReactNode;
  /** The same by API. */
  curl?: string;
};

/** Nothing here yet: the coming shape, one sentence, one button, the same by API. */
export function Empty({ title, children, action, curl }: Props) {
  return (
    <div className={classes.page}>
      <div className={classes.inner}>
        <Ghost />
        <h2>{title}</h2>
        <p>{children}</p>
        {action && (
          <div className={classes.act} data-primary>
            {action}
          </div>
        )}
        {curl && (
          <div className={classes.code}>
            <Code text={curl} label="The same by API" />
          </div>
        )}
      </div>
    </div>
  );
}
