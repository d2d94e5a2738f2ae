import fc from "fast-check";
import { expect, test } from "vitest";
import { CLIENT_STATUSES } from "./model.ts";
import { movementsBetween } from "./movements.model.ts";

const client = { house: false, status: "active", currency: "usd", mrr_cents: 500 } as const;

test("a client that becomes active, or is no longer, moves its whole revenue", () => {
  expect(movementsBetween(null, client)).toEqual([{ currency: "usd", mrr_cents: 500, clients: 1 }]);
  expect(movementsBetween(client, { ...client, status: "suspended" })).toEqual([
    { currency: "usd", mrr_cents: -500, clients: -1 },
  ]);
});

test("an active client moves the difference of its revenue, and between currencies both", () => {
  expect(movementsBetween(client, { ...client, mrr_cents: 300 })).toEqual([{ currency: "usd", mrr_cents: -200, clients: 0 }]);
  expect(movementsBetween(client, { ...client, currency: "eur" })).toEqual([
    { currency: "usd", mrr_cents: -500, clients: -1 },
    { currency: "eur", mrr_cents: 500, clients: 1 },
  ]);
});

test("what does not change the revenue of active clients moves nothing", () => {
  expect(movementsBetween(client, client)).toEqual([]);
  expect(movementsBetween(null, { ...client, status: "pending" })).toEqual([]);
  expect(movementsBetween({ ...client, status: "churned" }, { ...client, status: "churned", mrr_cents: 9 })).toEqual([]);
  expect(movementsBetween(null, { ...client, house: true })).toEqual([]);
});

test("the movements of any history add up to what counts at its end", () => {
  const state = fc.record({
    house: fc.constant(false),
    status: fc.constantFrom(...CLIENT_STATUSES),
    currency: fc.constantFrom("usd", "eur"),
    mrr_cents: fc.integer({ min: 0, max: 1_000 }),
  });
  fc.assert(
    fc.property(fc.array(state, { minLength: 1 }), (states) => {
      const all = states.flatMap((after, index) => movementsBetween(states[index - 1] ?? null, after));
      const last = states.at(-1);
      for (const currency of ["usd", "eur"]) {
        const counted = last?.status === "active" && last.currency === currency;
        const own = all.filter((movement) => movement.currency === currency);
        expect(own.reduce((sum, { mrr_cents }) => sum + mrr_cents, 0)).toBe(counted ? last.mrr_cents : 0);
        expect(own.reduce((sum, { clients }) => sum + clients, 0)).toBe(counted ? 1 : 0);
      }
    }),
  );
});
