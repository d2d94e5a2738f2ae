import classes from "./brief.module.css";
import { Failure } from "./failure.tsx";
import { Link } from "./link.tsx";
import { Loading } from "./loading.tsx";
import { When } from "./when.tsx";

type ListedProps<Row> = {
  list: { rows: readonly Row[]; loading: boolean; error: Error | null; retry(): void };
  /** What they are: "charges". */
  what: string;
  /** What is said where there are none. */
  none: string;
  children(rows: readonly Row[]): React.ReactNode;
};

/** A short list within a section, and what stands there while it loads, when it did not load, and where it is empty. */
export function Listed<Row>({ list: { rows, loading, error, retry }, what, none, children }: ListedProps<Row>) {
  if (error) return <Failure small title={`The ${what} did not load`} error={error} retry={retry} />;
  if (loading) return <Loading rows={2} />;
  return rows.length === 0 ? <p className="muted">{none}</p> : children(rows);
}

type Line = { id: string; to?: string; what: React.ReactNode; note?: React.ReactNode; amount?: React.ReactNode; at: string };

/** A few records, a line each: what it is, which opens it, how it stands, how much it is, and when it was. */
export function Brief({ lines }: { lines: readonly Line[] }) {
  return (
    <ul className={classes.brief}>
      {lines.map(({ id, to, what, note, amount, at }) => (
        <li key={id}>
          <span className={`${classes.what} cut`}>
            {to ? (
              <Link to={to}>
                <b>{what}</b>
              </Link>
            ) : (
              what
            )}
          </span>
          {note && <span className={`${classes.note} muted cut`}>{note}</span>}
          {amount && <span className={`${classes.amount} num`}>{amount}</span>}
          <When at={at} as="day" muted />
        </li>
      ))}
    </ul>
  );
}
