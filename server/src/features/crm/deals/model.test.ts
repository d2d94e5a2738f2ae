import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import { AUDITED, COLUMNS, checkLockedFields, checkSaleFields, type Deal, FIELDS, PERSONAL, refuseField } from "./model.ts";

const deal = (fields: Partial<Deal>) => ({ status: "won", plan: null, mrr_cents: null, client_id: null, ...fields }) as Deal;
const account = (house: boolean) => ({ house }) as Account;

describe("a won deal", () => {
  test.each(["plan", "mrr_cents", "currency", "client_id", "amount_cents"] as const)("keeps its %s", (field) => {
    const [before, after] = [deal({ [field]: 1 }), deal({ [field]: 2 })];
    expect(refusalOf(() => checkLockedFields(before, after))).toMatchObject({ code: "deal_won", meta: { fields: [field] } });
    expect(refusalOf(() => checkLockedFields({ ...before, status: "open" }, after))).toBeNull();
    expect(refusalOf(() => checkLockedFields({ ...before, status: "lost" }, after))).toBeNull();
  });

  test("names every field that would change, and takes changes of all others", () => {
    const before = deal({ name: "a", notes: null });
    const refused = refusalOf(() => checkLockedFields(before, deal({ plan: "Growth", mrr_cents: 1 })));
    expect(refused?.meta).toEqual({ fields: ["plan", "mrr_cents"] });
    expect(refused?.message).toContain("plan, mrr_cents");
    expect(refusalOf(() => checkLockedFields(before, deal({ name: "b", notes: "c" })))).toBeNull();
  });
});

describe("the fields of a sale", () => {
  test("are for the house account alone, each named", () => {
    const sale = deal({ plan: "Growth", mrr_cents: 0, client_id: null });
    expect(refusalOf(() => checkSaleFields(account(true), sale))).toBeNull();
    expect(refusalOf(() => checkSaleFields(account(false), sale))).toMatchObject({
      code: "validation_failed",
      faults: ["#/plan only_of_sales", "#/mrr_cents only_of_sales"],
    });
    expect(refusalOf(() => checkSaleFields(account(false), sale))?.message).toMatch(/^plan /);
    expect(refusalOf(() => checkSaleFields(account(false), deal({})))).toBeNull();
  });
});

test("a refused field is named by its pointer", () => {
  expect(refusalOf(() => refuseField("stage", "not_both", "Not both."))).toEqual({
    code: "validation_failed",
    faults: ["#/stage not_both"],
    meta: {},
    message: "Not both.",
  });
});

test("a change writes the fields and the stage; an audit entry compares them, and shows no personal one", () => {
  expect(COLUMNS).toEqual(expect.arrayContaining([...FIELDS, "stage_id", "won_at", "first_won_at"]));
  expect(AUDITED).toEqual(expect.arrayContaining([...FIELDS, "stage_id", "lost_reason"]));
  expect(AUDITED.filter((field) => PERSONAL.has(field))).toEqual([
    "name",
    "tags",
    "notes",
    "custom",
    "external_id",
    "company",
    "company_domain",
    "contact",
    "lost_reason",
  ]);
});
