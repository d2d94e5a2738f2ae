import { Button } from "@mantine/core";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/section.tsx";
import { When } from "../../../ui/when.tsx";
import sheet from "../commissions/commissions.module.css";
import { fromOf, whatOf } from "../commissions/words.tsx";
import { type PayoutDetail, useCommissionsOf } from "./data.ts";
import classes from "./payouts.module.css";

const LINES = [
  { name: "Gross", field: "gross_cents", why: "Earned since the run before" },
  { name: "Adjustments", field: "adjustments_cents", why: "Taken back since then: refunds, corrections" },
  { name: "Carried over", field: "carry_in_cents", why: "Due at an earlier run and not paid with it" },
] as const;

/** What makes up the amount. */
export function Receipt({ row }: { row: PayoutDetail }) {
  return (
    <ol className={sheet.sheet} aria-label="What makes up the amount">
      {LINES.map(({ name, field, why }) => (
        <li key={field}>
          <b>{name}</b>
          <span className={sheet.why}>{why}</span>
          <span className={sheet.result}>{money(row[field], row.currency)}</span>
        </li>
      ))}
      <li className={sheet.total}>
        <b>Net</b>
        <span className={`${sheet.why} muted`}>
          {row.commission_count} {row.commission_count === 1 ? "commission" : "commissions"}
        </span>
        <span className={sheet.result}>{money(row.net_cents, row.currency)}</span>
      </li>
    </ol>
  );
}

/** The commissions that it pays, page by page. */
export function Paid({ row }: { row: PayoutDetail }) {
  const list = useCommissionsOf(row.id);
  return (
    <Section
      title={row.status === "cancelled" ? "What it would have paid" : "What it pays"}
      aside={`${row.commission_count} ${row.commission_count === 1 ? "commission" : "commissions"}`}
    >
      {list.error && <Failure small title="The commissions did not load" error={list.error} retry={list.retry} />}
      {list.loading && <Loading />}
      {list.rows.length > 0 && (
        <Rows heads={["Earned from", "Kind", "·Recorded", "Amount"]} ends={2}>
          {list.rows.map((one) => (
            <tr key={one.id}>
              <td>
                <Link to={`/earn/commissions/${one.id}`}>{fromOf(one)}</Link>
              </td>
              <td className="soft">{whatOf(one)}</td>
              <td className="muted" data-desk>
                <When at={one.accrued_at} as="day" />
              </td>
              <td className="strong">
                <Money cents={one.amount_cents} currency={one.currency} />
              </td>
            </tr>
          ))}
        </Rows>
      )}
      {list.more && (
        <div className={classes.more}>
          <Button variant="default" size="xs" loading={list.loadingMore} onClick={list.loadMore}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  );
}
