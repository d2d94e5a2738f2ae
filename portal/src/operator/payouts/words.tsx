import { money, sums } from "../../ui/money.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import type { Payout, Status } from "./data.ts";
import type { Run } from "./runs.data.ts";

const TONES: Record<Status, Tone> = {
  scheduled: "wait",
  processing: "wait",
  paid: "live",
  failed: "bad",
  cancelled: "ended",
};

export function PayoutState({ payout: { status } }: { payout: Pick<Payout, "status"> }) {
  return <State tone={TONES[status]}>{status}</State>;
}

export const RunState = ({ run: { state } }: { run: Pick<Run, "state"> }) => (
  <State tone={state === "running" ? "wait" : "live"}>{state}</State>
);

export const TRIGGERS: Record<Run["trigger"], string> = { manual: "by hand", schedule: "by the schedule" };

export const METHODS: Record<Payout["method"], string> = { sepa: "SEPA transfer", manual: "by hand" };

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

type Total = { currency: string; net_cents: number };

/** By currency, the largest first; never one sum of two. */
export const totalsOf = (payouts: readonly Total[]): Total[] =>
  sums(payouts.map(({ net_cents, currency }) => ({ amount_cents: net_cents, currency }))).map(({ amount_cents, currency }) => ({
    net_cents: amount_cents,
    currency,
  }));

/** "$912.40 and €80.00"; nothing is a dash. */
export const totalsText = (totals: readonly Total[], none = "–") =>
  totals.length === 0 ? none : totals.map(({ net_cents, currency }) => money(net_cents, currency)).join(" and ");

type Reason = { name: string; way: string };

const REASONS: Record<string, Reason> = {
  no_payout_method: { name: "No payout method", way: "an owner adds one in the portal, or you set one at the partner" },
  currency_not_supported: { name: "The method does not take the currency", way: "an owner chooses another one, or you do" },
  payouts_held: { name: "Payouts held by you", way: "release them at the partner" },
  partner_suspended: { name: "Partner suspended", way: "reactivate it" },
  below_minimum: { name: "Below the minimum", way: "it is carried over to the next run" },
  negative_balance: { name: "More taken back than earned", way: "it is set off against what comes" },
  nothing_approved: { name: "Nothing approved", way: "wait for approvals" },
  internal_error: { name: "Failed unexpectedly", way: "it is in the next run; the log of the service says why" },
};

/** Reasons that somebody can mend come first. */
export const rankOf = (code: string) => Object.keys(REASONS).indexOf(code);

/** Why a partner is not paid, and what changes that. */
export const reasonOf = (code: string): Reason => REASONS[code] ?? { name: code.replaceAll("_", " "), way: "" };
