import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { CENTS_MAX } from "../../../kernel/money.ts";
import {
  type Amounts,
  isOpen,
  itemsTotal,
  LINK_STATUSES,
  type LinkAction,
  type LinkStatus,
  leastCents,
  limitOf,
  payableCents,
  statusAfter,
  statusWith,
  TOTAL_MAX,
} from "./model.ts";

const item = (quantity: number, unit_cents: number, tax_cents?: number) => ({
  name: "Visit",
  quantity,
  unit_cents,
  ...(tax_cents === undefined ? {} : { tax_cents }),
});
const amounts = (fields: Partial<Amounts> = {}): Amounts => ({
  usage: "single",
  total_cents: 1_000,
  limit_cents: 1_000,
  paid_cents: 0,
  reserved_cents: 0,
  ...fields,
});
const multi = (fields: Partial<Amounts> = {}) => amounts({ usage: "multi", limit_cents: 3_000, ...fields });

describe("what items cost", () => {
  test("is their quantity times their price, with the tax", () => {
    expect(itemsTotal([item(3, 250, 19), item(1, 100)])).toBe(869);
  });

  test("is between one minor unit and the most that a link can ask for", () => {
    expect(itemsTotal([item(1, 1)])).toBe(1);
    expect(itemsTotal([item(1, TOTAL_MAX)])).toBe(TOTAL_MAX);
    for (const items of [[item(5, 0)], [item(1, TOTAL_MAX, 1)], [item(999_999_999, TOTAL_MAX)]]) {
      expect(refusalOf(() => itemsTotal(items))).toMatchObject({
        code: "validation_failed",
        faults: ["#/line_items total_out_of_range"],
      });
    }
  });
});

describe("what all payments of a link may be", () => {
  test("is its amount, so often as it can be used", () => {
    expect(limitOf("single", 1_000, null)).toBe(1_000);
    expect(limitOf("single", 1_000, 5)).toBe(1_000);
    expect(limitOf("multi", 1_000, 5)).toBe(5_000);
    expect(limitOf("multi", 1_000, null)).toBeNull();
  });

  test("is an exact number", () => {
    expect(limitOf("multi", CENTS_MAX, 1)).toBe(CENTS_MAX);
    expect(refusalOf(() => limitOf("multi", CENTS_MAX, 2))).toMatchObject({
      code: "validation_failed",
      faults: ["#/uses_max too_large"],
    });
  });
});

describe("one more payment", () => {
  test.each([
    ["is the rest, without what others are just paying", amounts({ paid_cents: 300, reserved_cents: 200 }), 500],
    ["is nothing where all is paid or being paid", amounts({ paid_cents: 900, reserved_cents: 200 }), 0],
    ["of several uses is the whole amount", multi({ paid_cents: 1_000, reserved_cents: 1_000 }), 1_000],
    ["of several uses is nothing where less is left", multi({ paid_cents: 1_000, reserved_cents: 1_001 }), 0],
    ["without a limit is always the whole amount", multi({ limit_cents: null, paid_cents: 9_000 }), 1_000],
  ])("%s", (_, link, cents) => {
    expect(payableCents(link)).toBe(cents);
  });

  test.each([
    ["of a link that is paid at once is all of it", amounts(), null, 1_000],
    ["may be any part", amounts(), {}, 1],
    ["that is the first may have a minimum", amounts(), { min_first_cents: 400, min_next_cents: 100 }, 400],
    ["that comes later may have another", amounts({ paid_cents: 1 }), { min_first_cents: 400, min_next_cents: 100 }, 100],
    ["may be any later part", amounts({ paid_cents: 400 }), { min_first_cents: 400 }, 1],
    ["is never more than the rest", amounts({ paid_cents: 950 }), { min_next_cents: 100 }, 50],
    ["of several uses is all of it", multi(), { min_first_cents: 400 }, 1_000],
  ])("%s", (_, link, partial, cents) => {
    expect(leastCents({ ...link, partial })).toBe(cents);
  });

  test("of a link for one use never makes more than its amount, whatever came before", () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.nat(2_000), (paid_cents, reserved_cents) => {
        const payable = payableCents(amounts({ paid_cents, reserved_cents }));
        expect(payable).toBeGreaterThanOrEqual(0);
        expect(payable === 0 || payable + paid_cents + reserved_cents === 1_000).toBe(true);
      }),
    );
  });
});

describe("the status of a link", () => {
  test("takes payments while it is active, and while some of it is paid", () => {
    expect(LINK_STATUSES.filter(isOpen)).toEqual(["active", "partially_paid"]);
  });

  test.each<[LinkStatus, Amounts, LinkStatus]>([
    ["active", amounts(), "active"],
    ["active", amounts({ paid_cents: 999 }), "partially_paid"],
    ["active", amounts({ paid_cents: 1_000 }), "paid"],
    ["expired", amounts({ paid_cents: 1_001 }), "paid"],
    ["cancelled", amounts({ paid_cents: 1 }), "closed"],
    ["cancelled", amounts(), "cancelled"],
    ["disabled", amounts({ paid_cents: 1 }), "disabled"],
    ["partially_paid", amounts({ paid_cents: 1 }), "partially_paid"],
    ["active", multi({ paid_cents: 2_000 }), "active"],
    ["cancelled", multi({ paid_cents: 2_000 }), "cancelled"],
    ["active", multi({ paid_cents: 3_000 }), "paid"],
    ["active", multi({ limit_cents: null, paid_cents: 9_000 }), "active"],
  ])("%s with %j is %s", (status, link, next) => {
    expect(statusWith(status, link)).toBe(next);
  });
});

/** Every move that there is; all others are refused. */
const MOVES: Record<"unpaid" | "paid", Record<LinkAction, Partial<Record<LinkStatus, LinkStatus>>>> = {
  unpaid: {
    cancel: { active: "cancelled", disabled: "cancelled", cancelled: "cancelled" },
    close: { closed: "closed" },
    disable: { active: "disabled", partially_paid: "disabled", disabled: "disabled" },
    enable: { disabled: "active", active: "active", partially_paid: "partially_paid" },
  },
  paid: {
    cancel: { cancelled: "cancelled" },
    close: { partially_paid: "closed", disabled: "closed", closed: "closed" },
    disable: { active: "disabled", partially_paid: "disabled", disabled: "disabled" },
    enable: { disabled: "partially_paid", active: "active", partially_paid: "partially_paid" },
  },
};

describe.each(Object.entries(MOVES))("an action on a link that is %s", (how, moves) => {
  const link = amounts({ paid_cents: how === "paid" ? 1 : 0 });
  const actions = Object.keys(moves) as LinkAction[];

  test.each(actions.flatMap((action) => LINK_STATUSES.map((status) => [action, status] as const)))(
    "%s when %s",
    (action, status) => {
      const next = moves[action][status];
      if (next !== undefined) return expect(statusAfter(action, status, link)).toBe(next);
      const others = actions.flatMap((other) => moves[other][status] ?? []).filter((other) => other !== status);
      expect(refusalOf(() => statusAfter(action, status, link))).toMatchObject({
        code: "invalid_state_transition",
        meta: { from: status, allowed: [...new Set(others)] },
      });
    },
  );
});

test("a link for several uses can be cancelled although it was paid", () => {
  expect(statusAfter("cancel", "active", multi({ paid_cents: 1_000 }))).toBe("cancelled");
});

test("a refusal says what the link is", () => {
  expect(refusalOf(() => statusAfter("cancel", "partially_paid", amounts({ paid_cents: 1 })))?.message).toBe(
    "A payment link that is partially paid with a payment cannot be cancelled.",
  );
  expect(refusalOf(() => statusAfter("enable", "expired", amounts()))?.message).toBe(
    "A payment link that is expired cannot be enabled.",
  );
});
