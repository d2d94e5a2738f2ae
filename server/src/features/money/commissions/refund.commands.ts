import { chargeCause, type EarningCharge, winCause } from "./earn.commands.ts";
import type { Earning } from "./earnings.queries.ts";
import type { Journal } from "./journal.commands.ts";
import { coverageOf, type Group, isReversed, keptAfter, type Settled, totalOf } from "./model.ts";

/** A refund of a part of a charge; negative where it failed after it was applied. */
export type AppliedRefund = { id: string; applied_cents: number };

/** Takes back what refunds of a charge cost each level, and gives back what one that failed has cost. `refunded_cents` is what was refunded before them. */
export async function refundCharge(
  journal: Journal,
  earning: Earning,
  charge: EarningCharge,
  refunded_cents: number,
  refunds: readonly AppliedRefund[],
): Promise<void> {
  const first = earning.first_charge_id === charge.id;
  const levels = [{ partner_id: earning.partner_id, level: 0 }, ...earning.terms.upline];
  const causes = ({ level }: { level: number }) => [
    ...(first ? [winCause(earning.deal_id, earning.round, level), chargeCause(charge.id, earning, "first", level)] : []),
    chargeCause(charge.id, earning, "recurring", level),
  ];
  await journal.load(new Map(levels.map((level) => [level.partner_id, causes(level)])));
  const coverage = coverageOf(charge, earning.window_until, first);
  for (const level of levels) {
    for (const cause of causes(level)) {
      const group = journal.group(level.partner_id, cause);
      if (group === undefined || isReversed(group)) continue;
      const settled = settledOf(group, charge, cause.startsWith("win:") ? coverage.first_cents : group.root.base_cents);
      let total = refunded_cents;
      for (const { id, applied_cents } of refunds) {
        total += applied_cents;
        await takeBack(journal, group, settled, id, applied_cents, total, charge);
      }
    }
  }
}

/** A root as its charge settled it: the settling row is part of its amount. */
function settledOf({ root, rows }: Group, charge: EarningCharge, base_cents: number): Settled {
  const settling = rows.find(({ cause }) => cause === `settle:${charge.id}:${root.id}`);
  return { base_cents, amount_cents: root.amount_cents + (settling?.amount_cents ?? 0), rate_bps: root.rate_bps };
}

async function takeBack(
  journal: Journal,
  group: Group,
  settled: Settled,
  refund_id: string,
  applied_cents: number,
  total: number,
  charge: EarningCharge,
): Promise<void> {
  const kept = keptAfter(settled, total, charge.amount_cents);
  const earned_cents = totalOf(group);
  if (kept === earned_cents) return;
  const failed = applied_cents < 0;
  if (failed) await journal.revive(group);
  const own = group.root.level === 0;
  const { base_cents } = settled;
  // The levels above learn the base alone, nothing of the charge.
  const of_charge = own ? { refunded_cents: total, charge_cents: charge.amount_cents } : {};
  journal.addTo(group, {
    cause: `refund:${refund_id}:${group.root.id}${failed ? ":failed" : ""}`,
    kind: failed ? "adjustment" : "reversal",
    base_cents: failed ? Math.min(-applied_cents, base_cents) : -Math.min(applied_cents, base_cents),
    amount_cents: kept - earned_cents,
    calculation: [
      { step: "refund", input: { base_cents, ...of_charge }, rule: null, result: kept },
      { step: "difference", input: { kept_cents: kept, earned_cents }, rule: null, result: kept - earned_cents },
    ],
    reason_code: failed ? "refund_failed" : "refund",
    fact: "refunded",
    charge_id: own ? charge.id : null,
    refund_id: own ? refund_id : null,
  });
}
