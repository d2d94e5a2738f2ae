import { Button } from "@mantine/core";
import { useSession } from "../../../api/session.ts";
import { Blocker } from "../../../ui/answer.tsx";
import { Link } from "../../../ui/link.tsx";
import { amountsText, gains } from "../../../ui/money.tsx";
import { day } from "../../../ui/when.tsx";
import type { PayoutBlocker, Upcoming } from "./data.ts";
import classes from "./payouts.module.css";

type Code = PayoutBlocker["code"];
type Way = {
  title(amounts: string, currency: string): string;
  /** What to do, in place of the API's words. */
  text?(row: Upcoming): string;
  tone?: "bad";
  act?: { name: string; to(currency: string): string };
};

const METHOD = "/settings/payout-method";
const by = (at: string | null) => (at === null ? "" : ` by ${day(at)}`);

/** What blocks a payment, and the way out. What is shown beside an amount, such as the minimum, is not among them. */
const WAYS: Partial<Record<Code, Way>> = {
  no_payout_method: {
    title: (amounts) => (amounts === "" ? "There is no payout method" : `${amounts} cannot be paid: there is no payout method`),
    text: ({ scheduled_for }) => `Add one${by(scheduled_for)}, or it waits for the run after.`,
    act: { name: "Add payout method", to: () => `${METHOD}?edit=yes` },
  },
  currency_not_supported: {
    title: (amounts, currency) => `${amounts || "What you earn"} stays behind: no method takes ${currency.toUpperCase()}`,
    text: ({ scheduled_for, currency }) =>
      `Choose one that takes ${currency.toUpperCase()} too${by(scheduled_for)}, or it is carried over to the run after.`,
    act: { name: "Change payout method", to: () => METHOD },
  },
  negative_balance: {
    title: (_, currency) => `More was taken back than earned in ${currency.toUpperCase()}`,
    act: { name: "See what was taken back", to: (currency) => `/earn/commissions?kind=reversal&currency=${currency}` },
  },
  partner_suspended: { title: () => "Your partner account is suspended", tone: "bad" },
  payouts_held: { title: () => "The operator holds your payouts", tone: "bad" },
};

/** They concern all currencies alike. */
const OF_ALL: readonly Code[] = ["no_payout_method", "partner_suspended", "payouts_held"];

type Stop = { code: Code; detail: string; rows: Upcoming[] };

function stopsOf(rows: readonly Upcoming[]): Stop[] {
  const stops: Stop[] = [];
  for (const row of rows) {
    for (const { code, detail } of row.blockers) {
      const known = OF_ALL.includes(code) ? stops.find((stop) => stop.code === code) : undefined;
      if (known) known.rows.push(row);
      else if (WAYS[code]) stops.push({ code, detail, rows: [row] });
    }
  }
  return stops;
}

/** Each thing that stands in the way of a payout, with what clears it. */
export function Blockers({ rows }: { rows: readonly Upcoming[] }) {
  const { user } = useSession();
  const stops = stopsOf(rows);
  if (stops.length === 0) return null;
  return (
    <div className={classes.blockers}>
      {stops.map(({ code, detail, rows: blocked }, index) => {
        const { title, text, tone, act } = WAYS[code] as Way;
        const [first] = blocked;
        const currency = first?.currency ?? "";
        const amounts = gains(blocked.map((row) => ({ amount_cents: row.payable_cents, currency: row.currency })));
        const owners = act?.to("").startsWith(METHOD) && user.role !== "owner";
        return (
          <Blocker
            key={`${code} ${currency}`}
            tone={tone ?? "wait"}
            title={title(amountsText(amounts), currency)}
            action={
              act && (
                <Button component={Link} to={act.to(currency)} variant={index === 0 && !owners ? "filled" : "default"}>
                  {owners ? "See who can change it" : act.name}
                </Button>
              )
            }
          >
            {(first && text?.(first)) ?? detail}
          </Blocker>
        );
      })}
    </div>
  );
}
