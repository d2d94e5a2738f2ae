import type { ChargeDetail } from "./data.ts";

type Commission = ChargeDetail["commissions"][number];

/** Commissions that rows of the charge change, and that the win had recorded before there was a charge. */
const settledBy = ({ commissions }: ChargeDetail) =>
  commissions.flatMap(({ root_id }) => (root_id === null || commissions.some(({ id }) => id === root_id) ? [] : [root_id]));

/** The sale whose win recorded what this charge earned: that of a first charge; null for others. */
export const wonBefore = (charge: ChargeDetail) =>
  charge.outcome === "earned" && (charge.commissions.length === 0 || settledBy(charge).length > 0) ? charge.deal_id : null;

/** What a charge earned. Of a first charge that is what the win had recorded, with the difference to it. */
export function earnedBy(charge: ChargeDetail, wins: readonly Commission[]): readonly Commission[] {
  const settled = settledBy(charge);
  const recorded = wins.filter(
    ({ id, root_id, charge_id, status }) =>
      root_id === null && charge_id === null && (settled.length > 0 ? settled.includes(id) : status !== "void"),
  );
  return [...recorded, ...charge.commissions];
}
