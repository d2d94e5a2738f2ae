import type { Programme } from "./data.ts";
import { linkBodyOf, linkValuesOf } from "./links.tsx";

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
  ...linkValuesOf(programme),
});

export type ProgrammeValues = ReturnType<typeof valuesOf>;

const bps = (percent: number | string) => Math.round(Number(percent) * 100);

/** As the API wants it. The farthest levels that earn nothing are none. */
export function bodyOf({ support_email, override_bps, total_cap_bps, sub_partner_invites, ...values }: ProgrammeValues) {
  const levels = override_bps.map(bps);
  return {
    ...values,
    ...linkBodyOf(values),
    support_email: support_email.trim() || null,
    override_bps: levels.slice(0, levels.findLastIndex((level) => level > 0) + 1),
    total_cap_bps: bps(total_cap_bps),
    sub_partner_invites: sub_partner_invites ? ("on" as const) : ("off" as const),
  };
}
