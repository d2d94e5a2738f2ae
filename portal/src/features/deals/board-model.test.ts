import { expect, test } from "vitest";
import { type Board, type BoardColumn, type BoardDeal, totalsOf, withMove, worthOf } from "./board-model.ts";

const deal = (id: string, fields: Partial<BoardDeal> = {}) =>
  ({ id, sale: true, amount_cents: null, mrr_cents: 500, currency: "usd", days_over: 0, ...fields }) as BoardDeal;

const column = (stage_id: string, deals: BoardDeal[], over_target = 0): BoardColumn =>
  ({
    stage_id,
    deals: deals.length,
    over_target,
    totals: deals.length === 0 ? [] : [{ currency: "usd", deals: deals.length, amount_cents: 0, mrr_cents: 500 * deals.length }],
    latest_deals: deals,
  }) as unknown as BoardColumn;

test("a moved deal is at the top of its new column, and both columns count right", () => {
  const late = deal("a", { days_over: 3, days_in_stage: 10 });
  const board = { stages: [column("new", [late], 1), column("won", [deal("b")])] } as unknown as Board;
  const [left, entered] = withMove(board, { deal: late, from: "new", to: "won" }).stages;
  expect(left).toMatchObject({ deals: 0, over_target: 0, totals: [], latest_deals: [] });
  expect(entered).toMatchObject({ deals: 2, over_target: 0, totals: [{ currency: "usd", deals: 2, mrr_cents: 1_000 }] });
  expect(entered?.latest_deals.map(({ id, days_over }) => [id, days_over])).toEqual([
    ["a", 0],
    ["b", 0],
  ]);
});

test("currencies are never added up, and monthly values come first", () => {
  const totals = [
    { currency: "usd", deals: 1, amount_cents: 900, mrr_cents: 500, weighted_cents: 0 },
    { currency: "eur", deals: 1, amount_cents: 0, mrr_cents: 700, weighted_cents: 0 },
  ];
  const columns = [{ totals }, { totals: [totals[0]] }] as BoardColumn[];
  expect(totalsOf(columns)).toEqual([
    { currency: "usd", cents: 1_000, monthly: true },
    { currency: "eur", cents: 700, monthly: true },
    { currency: "usd", cents: 1_800, monthly: false },
  ]);
});

test("a sale is worth its month, any other deal its amount", () => {
  expect(worthOf(deal("a"))).toEqual({ currency: "usd", cents: 500, monthly: true });
  expect(worthOf(deal("b", { sale: false, amount_cents: 900 }))).toEqual({ currency: "usd", cents: 900, monthly: false });
  expect(worthOf(deal("c", { sale: false }))).toBeNull();
});
