import type { components } from "@tributary/sdk";

export type Board = components["schemas"]["Board"];
export type BoardColumn = components["schemas"]["BoardColumn"];
export type BoardDeal = components["schemas"]["BoardDeal"];
type Total = components["schemas"]["BoardTotal"];

/** A board as it will be after a move, until the service says so itself: the deal enters the top of its new column. */
export function withMove(board: Board, { deal, from, to }: { deal: BoardDeal; from: string; to: string }): Board {
  const entered: BoardDeal = { ...deal, stage_entered_at: new Date().toISOString(), days_in_stage: 0, days_over: 0 };
  return {
    ...board,
    stages: board.stages.map((column) => {
      const others = column.latest_deals.filter(({ id }) => id !== deal.id);
      if (column.stage_id === to) return { ...counted(column, deal, 1), latest_deals: [entered, ...others] };
      if (column.stage_id === from) return { ...counted(column, deal, -1), latest_deals: others };
      return { ...column, latest_deals: others };
    }),
  };
}

function counted(column: BoardColumn, deal: BoardDeal, sign: 1 | -1): BoardColumn {
  const late = deal.days_over > 0 && sign === -1 ? 1 : 0;
  const empty: Total = { currency: deal.currency, deals: 0, amount_cents: 0, weighted_cents: 0, mrr_cents: 0 };
  const known = column.totals.some(({ currency }) => currency === deal.currency);
  const totals = (known ? column.totals : [...column.totals, empty]).map((total) =>
    total.currency === deal.currency
      ? {
          ...total,
          deals: total.deals + sign,
          amount_cents: total.amount_cents + sign * (deal.amount_cents ?? 0),
          mrr_cents: total.mrr_cents + sign * (deal.mrr_cents ?? 0),
        }
      : total,
  );
  return {
    ...column,
    deals: column.deals + sign,
    over_target: column.over_target - late,
    totals: totals.filter(({ deals }) => deals > 0),
  };
}

/** Of each currency the monthly and the single value, those that are there. */
export type Value = { currency: string; cents: number; monthly: boolean };

export const valuesOf = (totals: readonly Pick<Total, "currency" | "amount_cents" | "mrr_cents">[]): Value[] =>
  totals
    .flatMap(({ currency, amount_cents, mrr_cents }) => [
      { currency, cents: mrr_cents, monthly: true },
      { currency, cents: amount_cents, monthly: false },
    ])
    .filter(({ cents }) => cents > 0);

/** The totals of several columns, currency by currency. */
export function totalsOf(columns: readonly BoardColumn[]): Value[] {
  const sums = new Map<string, { currency: string; amount_cents: number; mrr_cents: number }>();
  for (const { currency, amount_cents, mrr_cents } of columns.flatMap(({ totals }) => totals)) {
    const sum = sums.get(currency) ?? { currency, amount_cents: 0, mrr_cents: 0 };
    sums.set(currency, {
      currency,
      amount_cents: sum.amount_cents + amount_cents,
      mrr_cents: sum.mrr_cents + mrr_cents,
    });
  }
  return valuesOf([...sums.values()]).toSorted((a, b) => Number(b.monthly) - Number(a.monthly) || b.cents - a.cents);
}

/** What a deal is worth: a sale by month, any other deal once. */
export function worthOf(deal: Pick<BoardDeal, "sale" | "amount_cents" | "mrr_cents" | "currency">): Value | null {
  const monthly = deal.sale && deal.mrr_cents !== null;
  const cents = monthly ? deal.mrr_cents : deal.amount_cents;
  return cents === null ? null : { currency: deal.currency, cents, monthly };
}
