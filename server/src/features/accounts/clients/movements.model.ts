import type { Client } from "./model.ts";

/** By how much a change of a client changes the number and the monthly revenue of active clients, in one currency. */
export type Movement = { currency: string; mrr_cents: number; clients: number };

type Counted = Pick<Client, "house" | "status" | "currency" | "mrr_cents">;

/** What a change of a client moves; two movements where it also changes the currency. Only active clients count, and never the house account. */
export function movementsBetween(before: Counted | null, after: Counted): Movement[] {
  const lost = before === null || !counts(before) ? [] : [{ ...revenueOf(before, -1), clients: -1 }];
  const gained = counts(after) ? [{ ...revenueOf(after, 1), clients: 1 }] : [];
  const currencies = [...new Set([...lost, ...gained].map(({ currency }) => currency))];
  const movements = currencies.map((currency) => {
    const parts = [...lost, ...gained].filter((part) => part.currency === currency);
    const sum = (of: (part: Movement) => number) => parts.reduce((total, part) => total + of(part), 0);
    return { currency, mrr_cents: sum(({ mrr_cents }) => mrr_cents), clients: sum(({ clients }) => clients) };
  });
  return movements.filter(({ mrr_cents, clients }) => mrr_cents !== 0 || clients !== 0);
}

const counts = ({ house, status }: Counted) => !house && status === "active";
const revenueOf = ({ currency, mrr_cents }: Counted, sign: 1 | -1) => ({ currency, mrr_cents: sign * mrr_cents });
