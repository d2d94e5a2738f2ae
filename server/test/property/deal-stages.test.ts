import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { brokenHistories, moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { walk } from "../harness/lists.ts";
import { sized } from "../harness/size.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});

const STAGES = ["New", "Qualified", "Proposal", "Negotiation", "Won", "Lost"] as const;

/** Moves that come at once, and how the clock goes before them: on, back, or not at all. */
const rounds = fc.array(
  fc.record({
    advance_ms: fc.integer({ min: -2, max: 3 }).map((days) => days * 43_200_000),
    stages: fc.array(fc.constantFrom(...STAGES), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test("a deal stands in exactly one stage at every moment since it was made, whatever the moves, however many at once, whichever way the clock goes", async () => {
  const { id: pipeline_id } = await pipelineOf(world, partner, account_id);
  await fc.assert(
    fc.asyncProperty(rounds, async (moves) => {
      const deal = await newDeal(world, partner, { account_id });
      for (const { advance_ms, stages } of moves) {
        world.clock.advance(advance_ms);
        const replies = await Promise.all(stages.map((stage) => moveDeal(world, partner, deal.id, { stage })));
        expect(replies.map(({ status }) => status)).toEqual(stages.map(() => 200));
      }
      const history = (await walk(world, partner.key, `/v1/deals/${deal.id}/history`, { limit: 2 })).reverse();
      const { body } = await world.call("GET", `/v1/deals/${deal.id}`, { key: partner.key });
      expect(history[0]).toMatchObject({ stage: "New", entered_at: deal.created_at, pipeline_id });
      for (const [index, { entered_at, left_at }] of history.entries()) {
        expect(left_at).toBe(history[index + 1]?.entered_at ?? null);
        expect(left_at === null || left_at >= entered_at).toBe(true);
        expect(history[index + 1]?.stage).not.toBe(history[index]?.stage);
      }
      expect(history.at(-1)).toMatchObject({ stage: body.stage, entered_at: body.stage_entered_at });
      expect(body.version).toBe(history.length);
    }),
    { numRuns: sized(15, 80) },
  );
  expect(await brokenHistories(world)).toEqual([]);
});
