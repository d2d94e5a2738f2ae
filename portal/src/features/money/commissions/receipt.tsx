import { Link } from "../../../ui/link.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/section.tsx";
import { When } from "../../../ui/when.tsx";
import classes from "./commissions.module.css";
import type { Commission, CommissionDetail } from "./data.ts";
import { linesOf } from "./steps.ts";
import { whatOf } from "./words.tsx";

type Explained = Commission & Pick<CommissionDetail, "calculation">;

/** The receipt: a step, why, and what came of it. `total` names whose the amount is. */
export function Receipt({ row, total }: { row: Explained; total: string }) {
  return (
    <ol className={classes.sheet} aria-label="How it was calculated">
      {linesOf(row).map(({ name, why, formula, result }) => (
        <li key={name}>
          <b>{name}</b>
          <div className={classes.why}>
            {why}
            {formula && <code>{formula}</code>}
          </div>
          <span className={classes.result}>{result}</span>
        </li>
      ))}
      <li className={classes.total}>
        <b>{total}</b>
        <span className={`${classes.why} muted`}>{whatOf(row)}</span>
        <span className={classes.result}>{money(row.amount_cents, row.currency)}</span>
      </li>
    </ol>
  );
}

type FamilyProps = {
  row: Commission & { related: readonly Commission[] };
  /** The page of a commission. */
  to(id: string): string;
};

/** The commission and what changed it, in order, with what was left after each. */
export function Family({ row, to }: FamilyProps) {
  const rows: readonly Commission[] = [row, ...row.related].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  let sum = 0;
  return (
    <Section title="What became of it" aside={`${rows.length} rows of the same ${row.level > 0 ? "override" : "commission"}`}>
      <Rows heads={["·Recorded", "What", "Amount", "Left"]} ends={2}>
        {rows.map((one) => {
          sum += one.amount_cents;
          return (
            <tr key={one.id} aria-current={one.id === row.id ? "true" : undefined}>
              <td className="muted" data-desk>
                <When at={one.accrued_at} as="day" />
              </td>
              <td className="soft">{one.id === row.id ? whatOf(one) : <Link to={to(one.id)}>{whatOf(one)}</Link>}</td>
              <td>
                <Money cents={one.amount_cents} currency={one.currency} />
              </td>
              <td>
                <Money cents={sum} currency={one.currency} />
              </td>
            </tr>
          );
        })}
      </Rows>
    </Section>
  );
}
