import { beforeAll, describe, expect, test } from "vitest";
import { newDeal } from "../harness/deals.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner, { currency: "eur" })).id;
});

const DEALS = "/v1/deals";
const get = (id: string, key = partner.key) => world.call("GET", `${DEALS}/${id}`, { key });
const make = (fields: object = {}) => newDeal(world, partner, { account_id, ...fields });

describe("many at once", () => {
  const bulk = (body: object) => world.call("POST", `${DEALS}/bulk`, { key: partner.key, body });
  const outcomes = ({ body }: Json) => body.data.map(({ status, error }: Json) => error?.code ?? status);

  test("are made each as if alone: what is refused says why and undoes nothing else", async () => {
    const reply = await bulk({
      action: "create",
      deals: [
        { name: "One", account_id, external_id: "bulk-1" },
        { name: "Again", account_id, external_id: "bulk-1" },
        { account_id },
        { name: "Nowhere", account_id, stage: "Nowhere" },
        { name: "Two", account_id },
      ],
    });
    expect(outcomes(reply)).toEqual(["ok", "duplicate_deal", "validation_failed", "stage_not_in_pipeline", "ok"]);
    expect(reply.body).toMatchObject({ succeeded: 2, unchanged: 0, failed: 3 });
    expect(reply.body.data[1].error.existing_id).toBe(reply.body.data[0].id);
  });

  test("are changed, tagged, untagged and deleted, in the order asked", async () => {
    const [a, b, won] = [await make(), await make(), await make({ stage: "Won", amount_cents: 1 })];
    const changed = await bulk({
      action: "update",
      deals: [
        { id: a.id, name: "A" },
        { id: b.id, name: b.name },
        { id: won.id, amount_cents: 2 },
        { name: "nobody" },
        { id: a.id, notes: "n" },
      ],
    });
    expect(outcomes(changed)).toEqual(["ok", "unchanged", "deal_won", "validation_failed", "ok"]);
    expect((await get(a.id)).body).toMatchObject({ name: "A", notes: "n", version: 3 });
    expect(outcomes(await bulk({ action: "tag", deal_ids: [a.id, b.id], tags: ["x"] }))).toEqual(["ok", "ok"]);
    expect(outcomes(await bulk({ action: "untag", deal_ids: [b.id, won.id], tags: ["x"] }))).toEqual(["ok", "unchanged"]);
    expect(
      outcomes(
        await bulk({
          action: "delete",
          deal_ids: [a.id, won.id, a.id.replace(/.$/, (last: string) => (last === "0" ? "1" : "0"))],
        }),
      ),
    ).toEqual(["ok", "deal_won", "not_found"]);
    expect((await get(a.id)).status).toBe(404);
  });

  test("takes 500 and not one more, and what belongs to another action is refused", async () => {
    const deals = Array.from({ length: 500 }, (_, index) => ({ name: `Many ${index}`, account_id }));
    expect((await bulk({ action: "create", deals })).body.succeeded).toBe(500);
    expect((await bulk({ action: "create", deals: [...deals, deals[0]] })).status).toBe(422);
    expect((await bulk({ action: "create" })).body.errors[0].code).toBe("required_by_action");
    expect((await bulk({ action: "delete", deals })).body.errors[0].code).toBe("not_of_action");
  });
});
