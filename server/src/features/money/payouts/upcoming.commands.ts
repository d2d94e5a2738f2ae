import type { Context } from "../../../platform/record/context.ts";
import { dueOf, waitingAfter } from "../commissions/index.ts";
import { type Balance, balances } from "../ledger/index.ts";
import { blockersOf, laterOf, netOf, type PartnerState } from "./model.ts";
import { partnerState } from "./queries.ts";
import { runBefore } from "./run.queries.ts";
import { minimumFor, nextSlot } from "./schedule.model.ts";
import { payoutSettings } from "./settings.queries.ts";

/** What the next run would pay a partner in each currency, and what blocks it. */
export async function upcomingPayouts(
  ctx: Context,
  partner: { partner_id: string; currency: string; grade: string },
): Promise<{ json: string }> {
  const { partner_id } = partner;
  const db = ctx.db.byKey;
  const now = ctx.clock.now();
  const settings = await payoutSettings(db, partner.grade);
  const scheduled_for = nextSlot(settings.cron, settings.time_zone, now);
  const cutoff = scheduled_for ?? now;
  const [state, dues, waiting, accounts] = await Promise.all([
    partnerState(db, partner_id),
    runBefore(db, null, now).then((last) => dueOf(db, partner_id, cutoff, last)),
    waitingAfter(db, partner_id, cutoff),
    balances(db, partner_id, null),
  ]);
  const currencies = currenciesOf(accounts, partner.currency);
  const data = currencies.map((currency) => {
    const balanceOf = (wanted: Balance["account"]) =>
      accounts.find((row) => row.account === wanted && row.currency === currency)?.balance_cents ?? 0;
    const due = dues.find((one) => one.currency === currency);
    const blockers = blockersOf(state ?? { ...UNOPENED, partner_id, minimums: settings.minimums }, currency, due);
    const later = laterOf(
      waiting.find((one) => one.currency === currency),
      balanceOf("held"),
    );
    return {
      currency,
      scheduled_for,
      pending_cents: balanceOf("pending"),
      held_cents: balanceOf("held"),
      approved_cents: balanceOf("approved"),
      scheduled_cents: balanceOf("scheduled"),
      payable_cents: due === undefined ? 0 : netOf(due),
      minimum_cents: minimumFor(state?.minimums ?? settings.minimums, currency),
      eligible: blockers.length === 0,
      blockers: [...blockers, ...later],
    };
  });
  return { json: JSON.stringify({ data, has_more: false, next_cursor: null }) };
}

/** The currencies that something is owed in; the partner's own one where nothing is. */
function currenciesOf(accounts: readonly Balance[], own: string): string[] {
  const owed = accounts.filter(
    ({ account, balance_cents }) => balance_cents !== 0 && ["pending", "held", "approved", "scheduled"].includes(account),
  );
  const currencies = [...new Set(owed.map(({ currency }) => currency))].sort();
  return currencies.length === 0 ? [own] : currencies;
}

/** A partner that has not earned anything yet has no book. */
const UNOPENED: Omit<PartnerState, "partner_id" | "minimums"> = {
  company: "",
  status: "active",
  grade: "",
  payouts_held: false,
  hold_reason: null,
  currencies: null,
  method_kind: null,
  statement_seq: 0,
};
