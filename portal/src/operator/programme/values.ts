import { amountsOf, centsOf } from "../../ui/amounts.tsx";
import type { Programme } from "./data.ts";
import { linkBodyOf, linkValuesOf } from "./links.tsx";
import { marketplaceBodyOf, marketplaceValuesOf } from "./marketplace.tsx";

const LEVELS = [0, 1, 2] as const;

/** The settings as the form shows them: shares in percent, nothing absent. */
export const valuesOf = (programme: Programme) => ({
  name: programme.name,
  default_currency: programme.default_currency,
  support_email: programme.support_email ?? "",
  registration_review: programme.registration_review,
  protection_days: programme.protection_days,
  open_registrations_max: programme.open_registrations_max,
  hold_days: programme.hold_days,
  first_charge_days: programme.first_charge_days,
  override_bps: LEVELS.map((level) => (programme.override_bps[level] ?? 0) / 100) as (number | string)[],
  override_gate: programme.override_gate,
  total_cap_bps: (programme.total_cap_bps / 100) as number | string,
  tier_grace_days: programme.tier_grace_days,
  sub_partner_invites: programme.sub_partner_invites === "on",
  payout_cron: programme.payout_cron ?? "",
  payout_time_zone: programme.payout_time_zone,
  payout_minimums: amountsOf(programme.payout_minimums),
  payout_debtor: { name: "", iban: "", bic: "", ...programme.payout_debtor },
  ...linkValuesOf(programme),
  ...marketplaceValuesOf(programme),
});

export type ProgrammeValues = ReturnType<typeof valuesOf>;

const bps = (percent: number | string) => Math.round(Number(percent) * 100);

/** As the API wants it. The farthest levels that earn nothing are none. */
export function bodyOf(form: ProgrammeValues) {
  const { support_email, override_bps, total_cap_bps, sub_partner_invites, ...values } = form;
  const levels = override_bps.map(bps);
  return {
    ...values,
    ...linkBodyOf(values),
    ...marketplaceBodyOf(values),
    support_email: support_email.trim() || null,
    override_bps: levels.slice(0, levels.findLastIndex((level) => level > 0) + 1),
    total_cap_bps: bps(total_cap_bps),
    sub_partner_invites: sub_partner_invites ? ("on" as const) : ("off" as const),
    payout_cron: values.payout_cron.trim() || null,
    payout_minimums: centsOf(values.payout_minimums),
    payout_debtor: debtorOf(values.payout_debtor),
  };
}

/** Without any of it there is no account. */
function debtorOf({ name, iban, bic }: ProgrammeValues["payout_debtor"]) {
  if ([name, iban, bic].every((text) => text.trim() === "")) return null;
  return { name: name.trim(), iban, ...(bic.trim() === "" ? {} : { bic }) };
}
