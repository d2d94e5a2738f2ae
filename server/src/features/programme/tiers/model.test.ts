import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { checkTier, RANK_MAX, type Requirement } from "./model.ts";

const faultsOf = (requirements: Requirement[], grade = "gold", rank = 10) =>
  refusalOf(() => checkTier({ grade, rank, requirements }))?.faults ?? [];

describe("the rank of a grade", () => {
  test("is 0 of the lowest grade, and of no other", () => {
    expect(faultsOf([], "registered", 0)).toEqual([]);
    expect(faultsOf([], "registered", 1)).toEqual(["#/rank rank_of_lowest"]);
    expect(faultsOf([], "gold", 0)).toEqual(["#/rank rank_of_lowest"]);
  });

  test("has an end", () => {
    expect(faultsOf([], "gold", RANK_MAX)).toEqual([]);
    expect(faultsOf([], "gold", RANK_MAX + 1)).toEqual(["#/rank rank_too_high"]);
  });
});

describe("the requirements of a grade", () => {
  test("say all that their metric needs", () => {
    expect(
      faultsOf([
        { metric: "active_clients", value: 5 },
        { metric: "won_mrr_cents", value: 1, currency: "usd" },
        { metric: "certifications", value: 1 },
        { metric: "retention_bps", value: 10_000, window_days: 90 },
      ]),
    ).toEqual([]);
    expect(
      faultsOf([
        { metric: "won_mrr_cents", value: 1 },
        { metric: "retention_bps", value: 1 },
      ]),
    ).toEqual(["#/requirements/0/currency required_by_metric", "#/requirements/1/window_days required_by_metric"]);
  });

  test("say nothing else", () => {
    expect(faultsOf([{ metric: "active_clients", value: 5, currency: "usd", window_days: 7 }])).toEqual([
      "#/requirements/0/currency not_of_metric",
      "#/requirements/0/window_days not_of_metric",
    ]);
  });

  test("of a retention are at most all clients, and of others any number", () => {
    expect(faultsOf([{ metric: "retention_bps", value: 10_001, window_days: 90 }])).toEqual([
      "#/requirements/0/value out_of_range",
    ]);
    expect(faultsOf([{ metric: "active_clients", value: 10_001 }])).toEqual([]);
  });

  test("name a metric once, and one of money once for each currency", () => {
    const won = (currency: string): Requirement => ({ metric: "won_mrr_cents", value: 1, currency });
    expect(faultsOf([won("usd"), won("eur"), { metric: "certifications", value: 1 }])).toEqual([]);
    expect(faultsOf([won("usd"), won("eur"), won("usd")])).toEqual(["#/requirements/2 repeated"]);
  });

  test("are none of the lowest grade", () => {
    expect(faultsOf([{ metric: "certifications", value: 1 }], "registered", 0)).toEqual([
      "#/requirements requirements_of_lowest",
    ]);
  });
});
