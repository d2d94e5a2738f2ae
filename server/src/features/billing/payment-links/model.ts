import { type Fault, fail } from "../../../kernel/errors.ts";
import { CENTS_MAX } from "../../../kernel/money.ts";

export const LINK_STATUSES = ["active", "partially_paid", "paid", "cancelled", "closed", "expired", "disabled"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** What payers read and are written to in. */
export const LANGUAGES = ["en", "de", "fr", "es", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];

const DAY_MS = 86_400_000;
export const EXPIRES_AFTER_MS = 30 * DAY_MS;
export const EXPIRES_WITHIN_MS = 180 * DAY_MS;
/** What a link can ask for: far above any price, and a thousand of them are still exact. */
export const TOTAL_MAX = 999_999_999_999;

export type LineItem = { name: string; quantity: number; unit_cents: number; tax_cents?: number };

/** The amounts of a link, as far as they decide what can be paid. */
export type Amounts = {
  usage: "single" | "multi";
  total_cents: number;
  /** What all payments together may be; null without a limit. */
  limit_cents: number | null;
  paid_cents: number;
  reserved_cents: number;
};

export type Instalments = { min_first_cents?: number; min_next_cents?: number } | null;

/** Refuses a member of the body. */
export function refuseMember(member: string, code: string, detail: string): never {
  const fault: Fault = { in: "body", pointer: `#/${member}`, code, detail };
  fail("validation_failed", { detail, faults: [fault] });
}

/** What items cost together. */
export function itemsTotal(items: readonly LineItem[]): number {
  const total = items.reduce(
    (sum, { quantity, unit_cents, tax_cents = 0 }) => sum + BigInt(quantity) * BigInt(unit_cents) + BigInt(tax_cents),
    0n,
  );
  if (total < 1n || total > BigInt(TOTAL_MAX))
    refuseMember("line_items", "total_out_of_range", `The items must cost between 1 and ${TOTAL_MAX} minor units together.`);
  return Number(total);
}

/** What all payments of a link together may be. */
export function limitOf(usage: Amounts["usage"], total_cents: number, uses_max: number | null): number | null {
  if (usage === "single") return total_cents;
  if (uses_max === null) return null;
  const limit = BigInt(total_cents) * BigInt(uses_max);
  if (limit > BigInt(CENTS_MAX)) refuseMember("uses_max", "too_large", "The amount times uses_max is too large.");
  return Number(limit);
}

/** The most that one more payment can be now: of a link for several uses, the whole amount or nothing. */
export function payableCents({ usage, total_cents, limit_cents, paid_cents, reserved_cents }: Amounts): number {
  if (limit_cents === null) return total_cents;
  const free = Math.max(limit_cents - paid_cents - reserved_cents, 0);
  if (usage === "single") return free;
  return free >= total_cents ? total_cents : 0;
}

/** The least that one more payment must be. */
export function leastCents(link: Amounts & { partial: Instalments }): number {
  const payable = payableCents(link);
  if (link.partial === null || link.usage === "multi") return payable;
  const { min_first_cents = 1, min_next_cents = 1 } = link.partial;
  return Math.min(link.paid_cents === 0 ? min_first_cents : min_next_cents, payable);
}

/** Whether a status takes new payments. */
export function isOpen(status: LinkStatus): boolean {
  return status === "active" || status === "partially_paid";
}

/** The status once money has come: it counts whatever the status was. */
export function statusWith(status: LinkStatus, { usage, limit_cents, paid_cents }: Amounts): LinkStatus {
  if (limit_cents !== null && paid_cents >= limit_cents) return "paid";
  if (paid_cents === 0 || usage === "multi") return status;
  if (status === "active") return "partially_paid";
  // Only a link without payments is cancelled; of one with some, the rest is given up.
  return status === "cancelled" ? "closed" : status;
}

export type LinkAction = "cancel" | "close" | "disable" | "enable";

/** What each action makes of a link, by its status and whether something is paid. */
export function statusAfter(action: LinkAction, status: LinkStatus, amounts: Amounts): LinkStatus {
  const paid = amounts.paid_cents > 0 && amounts.usage === "single";
  const moves: Record<LinkAction, Partial<Record<LinkStatus, LinkStatus>>> = {
    cancel: paid ? { cancelled: "cancelled" } : { active: "cancelled", disabled: "cancelled", cancelled: "cancelled" },
    close: paid ? { partially_paid: "closed", disabled: "closed", closed: "closed" } : { closed: "closed" },
    disable: { active: "disabled", partially_paid: "disabled", disabled: "disabled" },
    enable: { disabled: paid ? "partially_paid" : "active", active: "active", partially_paid: "partially_paid" },
  };
  const next = moves[action][status];
  if (next !== undefined) return next;
  const allowed = [...new Set(Object.values(moves).flatMap((move) => move[status] ?? []))].filter((other) => other !== status);
  fail("invalid_state_transition", {
    detail: `A payment link that is ${status.replace("_", " ")}${paid ? " with a payment" : ""} cannot be ${PAST[action]}.`,
    meta: { from: status, allowed },
  });
}

const PAST: Record<LinkAction, string> = { cancel: "cancelled", close: "closed", disable: "disabled", enable: "enabled" };
