import type { components } from "@tributary/sdk";
import { CommissionState, whatOf } from "../../../features/money/commissions/words.tsx";
import { Link } from "../../../ui/link.tsx";
import { Money, percent } from "../../../ui/money.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { When } from "../../../ui/when.tsx";

type Row = components["schemas"]["Commission"];

/** A few commissions within a page: what each is, how it stands, how much it is. */
export function CommissionRows({ rows }: { rows: readonly Row[] }) {
  return (
    <Rows heads={["·Recorded", "What", "State", "·Of", "Amount"]} ends={2}>
      {rows.map((row) => (
        <tr key={row.id}>
          <td className="muted" data-desk>
            <When at={row.accrued_at} as="day" />
          </td>
          <td>
            <Link className="link" to={`/commissions/${row.id}`}>
              {whatOf(row)}
            </Link>
          </td>
          <td>
            <CommissionState row={row} />
          </td>
          <td className="muted" data-desk>
            {row.rate_bps > 0 && `${percent(row.rate_bps)} of `}
            <Money cents={row.base_cents} currency={row.currency} />
          </td>
          <td className="strong">
            <Money cents={row.amount_cents} currency={row.currency} />
          </td>
        </tr>
      ))}
    </Rows>
  );
}
