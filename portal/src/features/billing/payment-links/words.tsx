import { money } from "../../../ui/money.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import type { LinkStatus, PaymentLink } from "./data.ts";

export const STATUSES: Record<LinkStatus, { name: string; tone: Tone }> = {
  active: { name: "active", tone: "wait" },
  partially_paid: { name: "part paid", tone: "wait" },
  paid: { name: "paid", tone: "live" },
  expired: { name: "expired", tone: "bad" },
  disabled: { name: "disabled", tone: "ended" },
  cancelled: { name: "cancelled", tone: "ended" },
  closed: { name: "closed", tone: "ended" },
};

export function LinkState({ link: { status } }: { link: Pick<PaymentLink, "status"> }) {
  const { name, tone } = STATUSES[status];
  return <State tone={tone}>{name}</State>;
}

/** Whether its page takes payments. */
export const isOpen = ({ status }: PaymentLink) => status === "active" || status === "partially_paid";

/** Who is asked. */
export const customerOf = ({ customer: { name, phone, email } }: PaymentLink) => name ?? phone ?? email ?? "Somebody";

/** What share of it is paid, of a link that can be paid as a whole. */
export const shareOf = ({ usage, uses_max, total_cents, paid_cents }: PaymentLink) =>
  Math.min(paid_cents / (usage === "single" ? total_cents : total_cents * (uses_max ?? Number.POSITIVE_INFINITY)), 1);

/** "$60.00 of $100.00", or how often a link of several uses was paid. */
export function paidText(link: PaymentLink): string {
  const { usage, uses_max, total_cents, paid_cents, currency } = link;
  if (usage === "single") return `${money(paid_cents, currency)} of ${money(total_cents, currency)}`;
  const uses = Math.round(paid_cents / total_cents);
  return `${uses}${uses_max === null ? "" : ` of ${uses_max}`} × ${money(total_cents, currency)}`;
}
