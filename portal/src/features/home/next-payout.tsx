import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Stack } from "../../ui/charts.tsx";
import { Link } from "../../ui/link.tsx";
import { amountsText, gains, money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { Dot } from "../../ui/state.tsx";
import { day } from "../../ui/when.tsx";
import { type Upcoming, useUpcoming } from "../money/payouts/data.ts";
import { ownFirst } from "./earnings.tsx";
import classes from "./home.module.css";

/** When is money coming, how much, and does something block it? */
export function NextPayout() {
  const session = useSession();
  const may = useMay()("payouts:read") && isPartnerWide(session);
  const { data } = useUpcoming(may);
  if (!data) return null;
  const rows = ownFirst(data, session.partner?.currency);
  const at = rows[0]?.scheduled_for ?? null;
  return (
    <Section
      title="Next payout"
      aside={
        <Link to="/earn/payouts" className="link">
          {at === null ? "All payouts" : day(at)}
        </Link>
      }
    >
      <ul className={classes.payouts}>
        {rows.map((row) => (
          <li key={row.currency}>
            <Link to="/earn/payouts">
              <b>{money(Math.max(0, row.payable_cents), row.currency)}</b>
              <Note row={row} />
              <Stack height={6} parts={partsOf(row)} label={`The next payout in ${row.currency}`} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const laterOf = ({ pending_cents, approved_cents, held_cents, payable_cents }: Upcoming) =>
  Math.max(0, pending_cents + approved_cents + held_cents - Math.max(0, payable_cents));

const partsOf = (row: Upcoming) =>
  [
    { label: "paid", value: Math.max(0, row.payable_cents), tone: row.eligible ? "accent" : "stuck" },
    { label: "later", value: laterOf(row), tone: "rest" },
  ] as const;

/** How many things block it, and what comes later. */
function Note({ row }: { row: Upcoming }) {
  const blockers = row.blockers.filter(({ blocks, code }) => blocks && code !== "nothing_approved").length;
  const later = gains([{ amount_cents: laterOf(row), currency: row.currency }]);
  const texts = [
    blockers > 0 ? `${blockers} ${blockers === 1 ? "blocker" : "blockers"}` : null,
    later.length > 0 ? `${amountsText(later)} later` : null,
  ].filter((text) => text !== null);
  return (
    <span>
      {blockers > 0 && <Dot tone="wait" />} {texts.join(", ")}
    </span>
  );
}
