import { decimalOf } from "../../../../kernel/money.ts";

/** A time as the database or the API has it. */
export type Time = Date | string;

export type StatementPayout = {
  id: string;
  currency: string;
  gross_cents: number;
  adjustments_cents: number;
  carry_in_cents: number;
  net_cents: number;
  count: number;
  period_from: Time | null;
  period_to: Time;
  cutoff: Time | null;
  scheduled_for: Time;
  status: string;
  paid_at: Time | null;
  reference: string | null;
  method_hint: string | null;
};

export type StatementRow = {
  commission_id: string;
  accrued_at: Time;
  kind: string;
  level: number;
  plan: string | null;
  client: string | null;
  charge: string | null;
  base_cents: number;
  rate_bps: number;
  amount_cents: number;
  reason_code: string | null;
};

export type Statement = {
  /** `colour` is the programme's own, as #rrggbb. */
  programme: { name: string; colour?: string | null };
  partner: { company: string; id: string };
  statement_number: string;
  payout: StatementPayout;
  rows: AsyncIterable<StatementRow> | Iterable<StatementRow>;
};

const KINDS: Record<string, string> = {
  first: "First",
  recurring: "Recurring",
  override: "Override",
  adjustment: "Adjustment",
  reversal: "Reversal",
  marketplace: "Marketplace",
};

/** What a row is called on paper: its kind, with the level of an override. */
export function kindName({ kind, level }: Pick<StatementRow, "kind" | "level">): string {
  return level > 0 ? `${KINDS[kind] ?? kind}, level ${level}` : (KINDS[kind] ?? kind);
}

/** An amount for people: 1,234.50 with a true minus. */
export function figure(amount_cents: number, currency: string): string {
  const [units = "", fraction] = decimalOf(amount_cents, currency).replace("-", "−").split(".");
  const grouped = units.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A share for people: 1250 is 12.5 %. */
export function share(bps: number): string {
  return `${bps / 100} %`;
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** A day for people, in UTC: 15 May 2026. */
export function day(time: Time): string {
  return DAY.format(new Date(time));
}

/**
 * Passes rows on and adds them up. A statement whose sums are not those of its payout is an error before its last byte: nobody may get paper
 * that contradicts itself.
 */
export async function* addedUp({ payout, rows }: Pick<Statement, "payout" | "rows">): AsyncGenerator<StatementRow> {
  const { id, gross_cents, adjustments_cents, carry_in_cents, net_cents, count } = payout;
  if (BigInt(gross_cents) + BigInt(adjustments_cents) + BigInt(carry_in_cents) !== BigInt(net_cents)) {
    throw new Error(`The sums of ${id} do not make its net amount.`);
  }
  let sum_cents = 0n;
  let seen = 0;
  for await (const row of rows) {
    sum_cents += BigInt(row.amount_cents);
    seen += 1;
    yield row;
  }
  if (sum_cents !== BigInt(net_cents) || seen !== count) {
    throw new Error(`${id} has ${count} rows of ${net_cents}, and its statement ${seen} rows of ${sum_cents}.`);
  }
}
