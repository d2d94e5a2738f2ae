import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";

const WORDS: Record<string, readonly [before: string, after: string]> = {
  "payments.receive": ["A customer paid", ""],
  "payments.refund": ["A refund of", "is on its way"],
  "payments.refund_succeeded": ["A customer got back", ""],
  "payments.refund_failed": ["A refund of", "failed"],
  "payments.dispute_open": ["A customer disputes", ""],
  "payments.dispute_won": ["The dispute about", "is won"],
  "payments.dispute_lost": ["The dispute about", "is lost"],
};

type Changes = Record<string, { to: unknown } | "redacted">;

const to = (changes: Changes, name: string) => {
  const change = changes[name];
  return change === undefined || change === "redacted" ? null : change.to;
};

/** What became of the money of a customer, as the audit log tells it; null for anything else. */
export function paidText(account: string, action: string, changes: Changes): React.ReactNode {
  const words = WORDS[action];
  const [payment, currency] = [to(changes, "payment"), to(changes, "currency")];
  if (words === undefined || payment === null || currency === null) return null;
  const cents = Number(to(changes, "amount_cents") ?? 0) + Number(to(changes, "tip_cents") ?? 0);
  return (
    <>
      {words[0]}{" "}
      <Link className="link" to={`/crm/${account}/payments/${payment}`}>
        {money(cents, String(currency))}
      </Link>{" "}
      {words[1]}
    </>
  );
}
