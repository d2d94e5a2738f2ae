import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { sized } from "../harness/size.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const RUNS = sized(10, 60);
const DAY_MS = 86_400_000;
const BEGUN_MS = Date.parse("2026-01-10T12:00:00Z");
const STAGES = [
  { type: "open", probability: 15 },
  { type: "open", probability: 55 },
  { type: "won", probability: 100 },
  { type: "lost", probability: 0 },
] as const;

type Stay = { stage: number; days: number };
type Drawn = {
  account: number;
  begun_days: number;
  currency: string;
  value: number | null;
  owner: number;
  deleted: boolean;
  stays: Stay[];
};

/** A deal and the stages it went through; no two in a row are the same. */
const deal: fc.Arbitrary<Drawn> = fc.record({
  account: fc.nat(2),
  begun_days: fc.nat(200),
  currency: fc.constantFrom("usd", "eur"),
  value: fc.option(fc.nat(10_000_000)),
  owner: fc.nat(1),
  deleted: fc.nat(4).map((drawn) => drawn === 0),
  stays: fc
    .array(fc.record({ stage: fc.nat(3), days: fc.nat(40) }), { minLength: 1, maxLength: 6 })
    .map((stays) => stays.filter(({ stage }, index) => stage !== stays[index - 1]?.stage)),
});

type Deal = Drawn & { id: string; sale: boolean; created_ms: number; entered_ms: number[]; now: (typeof STAGES)[number] };
type Scene = {
  partner: TestPartner;
  accounts: string[];
  pipelines: string[];
  stages: string[][];
  owners: string[];
  deals: Deal[];
};

/** Puts the deals where the service would have: in three accounts, the first of which is the partner's own. */
async function setUp(drawn: Drawn[]): Promise<Scene> {
  const partner = await world.newPartner();
  const { partner_id } = partner;
  const [house] = await world.db.sql<{ id: string }>("select id from clients where partner_id = $1 and house", [partner_id]);
  const accounts = [house?.id ?? "", (await world.newClient(partner)).id, (await world.newClient(partner)).id];
  const owners: string[] = [];
  for (const name of ["Ada", "Bo"]) {
    const body = {
      name,
      email: `${name.toLowerCase()}@${partner_id.replace("_", "-")}.example`,
      role: "member",
      accounts: "all",
    };
    owners.push((await world.call("POST", `${BASE}/users`, { key: partner.key, body })).body.id);
  }
  const pipelines: string[] = [];
  const stages: string[][] = [];
  for (const account of accounts) {
    const pipeline = newId("pipeline", BEGUN_MS);
    pipelines.push(pipeline);
    await world.db.sql(
      "insert into pipelines (partner_id, id, account_id, name, created_at, updated_at) values ($1, $2, $3, 'Drawn', now(), now())",
      [partner_id, pipeline, account],
    );
    stages.push(STAGES.map(() => newId("stage", BEGUN_MS)));
    for (const [position, { type, probability }] of STAGES.entries()) {
      await world.db.sql(
        "insert into stages (partner_id, id, pipeline_id, name, position, type, probability) values ($1, $2, $3, $4, $5, $6, $7)",
        [partner_id, stages.at(-1)?.[position], pipeline, `Stage ${position}`, position, type, probability],
      );
    }
  }
  const scene: Scene = { partner, accounts, pipelines, stages, owners, deals: [] };
  for (const one of drawn) scene.deals.push(await insertDeal(scene, one));
  return scene;
}

async function insertDeal({ partner, accounts, pipelines, stages, owners }: Scene, drawn: Drawn): Promise<Deal> {
  const created_ms = BEGUN_MS + drawn.begun_days * DAY_MS;
  const id = newId("deal", created_ms);
  const sale = drawn.account === 0;
  let at = created_ms;
  const entered_ms: number[] = [];
  for (const { days } of drawn.stays) {
    entered_ms.push(at);
    at += days * DAY_MS;
  }
  const last = drawn.stays.at(-1)?.stage ?? 0;
  const now = STAGES[last] ?? STAGES[0];
  const entered = new Date(entered_ms.at(-1) ?? created_ms);
  const [account, pipeline, owner] = [accounts[drawn.account], pipelines[drawn.account], owners[drawn.owner]];
  await world.db.sql(
    `insert into deals (partner_id, id, account_id, sale, pipeline_id, stage_id, status, stage_entered_at, name, amount_cents, mrr_cents, currency, owner_id,
       won_at, lost_at, deleted_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7::text, $8::timestamptz, 'Deal', $9, $10, $11, $12, case $7::text when 'won' then $8::timestamptz end,
       case $7::text when 'lost' then $8::timestamptz end, $13, $14, now())`,
    [
      partner.partner_id,
      id,
      account,
      sale,
      pipeline,
      stages[drawn.account]?.[last],
      now.type,
      entered,
      sale ? 77 : drawn.value,
      sale ? drawn.value : null,
      drawn.currency,
      owner,
      drawn.deleted ? entered : null,
      new Date(created_ms),
    ],
  );
  for (const [ordinal, { stage }] of drawn.stays.entries()) {
    const left_ms = entered_ms[ordinal + 1];
    await world.db.sql("insert into deal_stages values ($1, $2, $3, $4, $5, $6, $7, $8, 'key_x', null)", [
      partner.partner_id,
      id,
      ordinal,
      account,
      pipeline,
      stages[drawn.account]?.[stage],
      new Date(entered_ms[ordinal] ?? 0),
      left_ms === undefined ? null : new Date(left_ms),
    ]);
  }
  return { ...drawn, id, sale, created_ms, entered_ms, now };
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
const average = (numbers: number[]) =>
  numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const closed_ms = (one: Deal) => one.entered_ms.at(-1) ?? 0;

/** The figures by counting: `begun` are the deals counted as created, `ended` as closed. */
function recount(begun: Deal[], ended: Deal[]) {
  const open = begun.filter(({ now }) => now.type === "open");
  const won = ended.filter(({ now }) => now.type === "won");
  const lost = ended.filter(({ now }) => now.type === "lost");
  const days = average(won.map((one) => (closed_ms(one) - one.created_ms) / DAY_MS));
  const currencies = [...new Set([...begun, ...ended].map(({ currency }) => currency))].toSorted();
  const sum = (deals: Deal[], of: (one: Deal) => number) => deals.reduce((total, one) => total + of(one), 0);
  return {
    count: begun.length,
    open: open.length,
    won: won.length,
    lost: lost.length,
    win_rate: won.length + lost.length === 0 ? null : round(won.length / (won.length + lost.length), 4),
    average_days_to_win: days === null ? null : round(days, 2),
    values: currencies.map((currency) => {
      const those = (deals: Deal[]) => deals.filter((one) => one.currency === currency);
      const value = (one: Deal) => one.value ?? 0;
      return {
        currency,
        open_cents: sum(those(open), value),
        weighted_cents: Math.round(sum(those(open), (one) => value(one) * one.now.probability) / 100),
        won_cents: sum(those(won), value),
        lost_cents: sum(those(lost), value),
      };
    }),
  };
}

function recountStage(deals: Deal[], stage: number) {
  const stood = deals.filter(({ stays }) => stays.some((stay) => stay.stage === stage));
  const further = ({ stays }: Deal) => {
    const first = stays.findIndex((stay) => stay.stage === stage);
    return stays.slice(first + 1).some((later) => later.stage === 2 || (later.stage < 2 && later.stage > stage));
  };
  const over = deals.flatMap(({ stays }) =>
    stays
      .slice(0, -1)
      .filter((stay) => stay.stage === stage)
      .map(({ days }) => days),
  );
  const days = average(over);
  const advanced = stood.filter(further).length;
  const isOpen = STAGES[stage]?.type === "open";
  return {
    entered: stood.length,
    advanced,
    conversion: isOpen && stood.length > 0 ? round(advanced / stood.length, 4) : null,
    average_days_in_stage: days === null ? null : round(days, 2),
  };
}

async function ask(partner: TestPartner, query: string): Promise<Json> {
  const { status, body, text } = await world.call("GET", `${BASE}/deals/metrics?${query}`, { key: partner.key });
  expect(status, text).toBe(200);
  return body;
}

const monthOf = (at_ms: number) => new Date(at_ms).toISOString().slice(0, 7);

test("metrics are what counting the deals gives, by stage, month, client and owner", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deal, { maxLength: 14 }), async (drawn) => {
      const scene = await setUp(drawn);
      const deals = scene.deals.filter(({ deleted }) => !deleted);
      const rows = async (query: string) => {
        const { data, total } = await ask(scene.partner, query);
        expect(total).toEqual(recount(deals, deals));
        return data as Json[];
      };

      for (const row of (await rows("group_by=stage")).filter(({ name }) => name.startsWith("Stage "))) {
        const account = scene.pipelines.indexOf(row.stage.pipeline_id);
        const stage = scene.stages[account]?.indexOf(row.key) ?? -1;
        const own = deals.filter((one) => one.account === account);
        const there = own.filter(({ stays }) => stays.at(-1)?.stage === stage);
        const { key: _, name: __, stage: figures, ...counted } = row;
        expect(counted).toEqual(recount(there, there));
        expect(figures).toMatchObject(recountStage(own, stage));
      }

      const months = await rows("group_by=month");
      const closed = deals.filter(({ now }) => now.type !== "open");
      const expected = [...new Set([...deals.map(({ created_ms }) => created_ms), ...closed.map(closed_ms)].map(monthOf))]
        .toSorted()
        .reverse();
      expect(months.map(({ key }) => key)).toEqual(expected);
      for (const { key, name: _, stage: __, ...counted } of months) {
        const begun = deals.filter(({ created_ms }) => monthOf(created_ms) === key);
        expect(counted).toEqual(
          recount(
            begun,
            closed.filter((one) => monthOf(closed_ms(one)) === key),
          ),
        );
      }

      for (const { key, name: _, stage: __, ...counted } of await rows("group_by=client")) {
        const those = deals.filter(({ account, sale }) => (sale ? key === null : scene.accounts[account] === key));
        expect(counted).toEqual(recount(those, those));
      }
      for (const { key, name, stage: _, ...counted } of await rows("group_by=owner")) {
        const those = deals.filter(({ owner }) => scene.owners[owner] === key);
        expect(counted).toEqual(recount(those, those));
        expect(name).toBe(["Ada", "Bo"][scene.owners.indexOf(key)]);
      }

      const house = await ask(
        scene.partner,
        `group_by=owner&sale=true&created_after=2026-03-01T00:00:00Z&account_id=${scene.accounts[0]}`,
      );
      const meant = deals.filter(({ sale, created_ms }) => sale && created_ms >= Date.parse("2026-03-01T00:00:00Z"));
      expect(house.total).toEqual(recount(meant, meant));
    }),
    { numRuns: RUNS },
  );
});

test("a key sees the figures of its own accounts, and nobody those of another partner", async () => {
  const scene = await setUp(
    [1, 2].map((account) => ({
      account,
      begun_days: 3,
      currency: "usd",
      value: 900,
      owner: 0,
      deleted: false,
      stays: [{ stage: 0, days: 1 }],
    })),
  );
  const bound = await world.newKey(scene.partner, { clients: [scene.accounts[1] ?? ""] });
  const { body } = await world.call("GET", `${BASE}/deals/metrics?group_by=client`, { key: bound });
  expect(body.data.map(({ key }: Json) => key)).toEqual([scene.accounts[1]]);
  const stages = await world.call("GET", `${BASE}/deals/metrics`, { key: bound });
  expect(new Set(stages.body.data.map(({ stage }: Json) => stage.pipeline_id))).toContain(scene.pipelines[1]);
  expect(stages.body.data.map(({ stage }: Json) => stage.pipeline_id)).not.toContain(scene.pipelines[2]);
  const stranger = await world.newPartner();
  expect((await ask(stranger, "group_by=client")).total.count).toBe(0);
});
