import classes from "./rows.module.css";

type Props = {
  /** One that begins with "·" leaves on a phone, with the cells that have `data-desk`. */
  heads: readonly string[];
  /** How many columns at the end are numbers, at the right. */
  ends?: number;
  children: React.ReactNode;
};

/** A few rows within a page, all of them drawn: a table in hairlines. Long lists are a `Table`. */
export function Rows({ heads, ends = 0, children }: Props) {
  return (
    <div className={classes.frame}>
      <table className={classes.rows} data-ends={ends}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head} data-desk={head.startsWith("·") || undefined}>
                {head.replace("·", "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
