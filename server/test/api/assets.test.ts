import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Applied, Asset, Change, Live, Removal, Spec } from "../../src/features/accounts/configuring/index.ts";
import { customFieldAsset } from "../../src/features/accounts/custom-fields/index.ts";
import { pipelineAsset } from "../../src/features/accounts/pipelines/index.ts";
import { leadScoringAsset, feature as leads } from "../../src/features/crm/leads/index.ts";
import { DEFAULT_RULES } from "../../src/features/crm/leads/scoring/model.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { sized } from "../harness/size.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let bystander: string;

beforeAll(async () => {
  partner = await world.newPartner();
  bystander = (await world.newClient(partner)).id;
  const other = await world.newPartner();
  for (const { partner_id, key } of [partner, other]) {
    const account = partner_id === partner.partner_id ? { account_id: bystander } : {};
    const body = { resource: "deal", key: "budget", type: "number", ...account };
    expect((await world.call("POST", "/v1/custom-fields", { key, body })).status).toBe(201);
    expect((await world.call("POST", "/v1/pipelines", { key, body: { name: "Sales 2", ...account } })).status).toBe(201);
  }
});

const accounts = (ids: readonly string[]) => ({ partner_id: partner.partner_id, ids });
const look = (asset: Asset, ids: readonly string[]) => asset.look(world.app.services.db, accounts(ids));
const read = (asset: Asset, ids: readonly string[]) => asset.read(world.app.services.db, accounts(ids));
const readOne = async (asset: Asset, id: string) => (await read(asset, [id])).get(id) ?? [];

function inTx<T>(body: (ctx: ReturnType<typeof createContext>, tx: Parameters<Asset["apply"]>[0]) => Promise<T>): Promise<T> {
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
  return ctx.tx((tx) => body(ctx, tx));
}

const apply = (asset: Asset, changes: ReadonlyMap<string, readonly Change[]>) =>
  inTx((ctx, tx) => asset.apply(tx, accounts([...changes.keys()]), changes, ctx.hooks));
const applyOne = async (asset: Asset, id: string, ...changes: Change[]) =>
  (await apply(asset, new Map([[id, changes]]))).get(id) ?? [];
const blocked = (asset: Asset, id: string, ...removals: Removal[]) =>
  inTx((ctx, tx) => asset.blocked(tx, ctx.hooks, accounts([id]), new Map([[id, removals]])));

/** A spec as an account has it: items have ids instead of keys. */
const withoutKeys = (spec: Json): Json =>
  spec.stages === undefined ? spec : { ...spec, stages: spec.stages.map(({ key: _, ...stage }: Json) => stage) };
const anonymous = (records: readonly Live[]) =>
  records.map(({ id: _, parts, ...record }) => ({ ...record, parts: parts.length }));

/** Every row of configuration, of all partners but those of some accounts. */
async function rowsBut(ids: readonly string[]) {
  const rows = "select to_json(t)::text as row from";
  return [
    await world.db.sql(`${rows} custom_fields t where account_id <> all ($1) order by id`, [ids]),
    await world.db.sql(`${rows} pipelines t where account_id <> all ($1) order by id`, [ids]),
    await world.db.sql(
      `${rows} (select s.* from stages s join pipelines p on p.id = s.pipeline_id where account_id <> all ($1)) t order by id`,
      [ids],
    ),
    await world.db.sql(`${rows} pipelines_due t where account_id <> all ($1) order by account_id`, [ids]),
    await world.db.sql(`${rows} lead_scoring t where account_id <> all ($1) order by account_id`, [ids]),
  ];
}

const newAccounts = async (count: number) => {
  const made: string[] = [];
  while (made.length < count) made.push((await world.newClient(partner)).id);
  return made;
};

/** How an asset is tested: wanted configurations, and the changes that lead from records to one. */
type Wanted = { key: string; spec: Spec };
type Trial = {
  asset: Asset;
  wanted: fc.Arbitrary<Wanted[]>;
  changesTo(wanted: readonly Wanted[], now: readonly Live[]): Change[];
};

const name = fc.constantFrom("Alpha", "Beta", "Gamma", "Ünïcode 😀", 'Quote "q", \\b');

const fields: Trial = {
  asset: customFieldAsset,
  wanted: fc.uniqueArray(
    fc
      .record({
        key: fc.constantFrom("contact.a", "contact.b", "deal.a", "deal.b", "lead.a"),
        label: name,
        required: fc.boolean(),
        picked: fc.uniqueArray(fc.constantFrom("small", "large", "a,b"), { maxLength: 3 }),
      })
      // The type stays, so a key always has the same one.
      .map(({ key, picked, ...field }) => {
        const typed = key.endsWith("a") ? { type: "select", options: ["always", ...picked] } : { type: "text", options: [] };
        return { key, spec: { ...field, ...typed } };
      }),
    { selector: ({ key }) => key, maxLength: 4 },
  ),
  changesTo: (wanted, now) => [
    ...now
      .filter((live) => !live.archived && !wanted.some(({ key }) => key === live.key))
      .map(({ id, key }): Change => ({ do: "remove", key: key ?? "", id, unmade: false })),
    ...wanted.map(({ key, spec: to }): Change => {
      const found = now.find((live) => live.key === key);
      if (found === undefined) return { do: "create", key, to };
      return { do: found.archived ? "revive" : "update", key, id: found.id, parts: [], to };
    }),
  ],
};

const stage = fc.record({
  name,
  type: fc.constantFrom("open", "won", "lost"),
  target_days: fc.option(fc.integer({ min: 1, max: 9 })),
  required_fields: fc.uniqueArray(fc.constantFrom("tags", "company", "custom.x"), { maxLength: 2 }),
});
const stages = fc.uniqueArray(stage, { selector: ({ name }) => name, maxLength: 3 }).map((more) =>
  [...more, ...["open", "won", "lost"].map((type) => ({ name: `Last ${type}`, type }))].map((one, index) => ({
    key: `k${index}`,
    ...one,
  })),
);

const pipelines: Trial = {
  asset: pipelineAsset,
  wanted: fc
    .record({
      of: fc.uniqueArray(fc.record({ name, stages, rules: fc.record({ no_skip: fc.boolean() }) }), {
        selector: ({ name }) => name,
        minLength: 1,
        maxLength: 3,
      }),
      first: fc.nat(2),
    })
    .map(({ of, first }) =>
      of.map((spec, index) => ({
        key: `k${index}`,
        spec: pipelineAsset.complete({ ...spec, is_default: index === first % of.length }),
      })),
    ),
  // Whichever record comes first becomes the first that is wanted, so names and the default are passed on.
  changesTo(wanted, now) {
    const rest = now.slice(wanted.length).filter(({ archived }) => !archived);
    return [
      ...wanted.map(({ key, spec: to }, index): Change => {
        const found = now[index];
        if (found === undefined) return { do: "create", key, to };
        const before = found.spec.stages as Json[];
        const parts = (to.stages as Json[]).map(({ type }, at) => (before[at]?.type === type ? (found.parts[at] ?? null) : null));
        return { do: found.archived ? "revive" : "update", key, id: found.id, parts, to };
      }),
      ...rest.map(({ id }, index): Change => ({ do: "remove", key: id, id, unmade: index === 0 })),
    ];
  },
};

const rule = fc
  .record({
    name,
    what: fc.constantFrom(
      { field: "phone", op: "exists", value: null },
      { field: "country", op: "in", value: ["de", "fr"] },
      { field: "custom.x", op: "is", value: 'x, "y"' },
      { field: "age_days", op: "gt", value: 1.5 },
      { field: "owner_id", op: "is_not", value: false },
    ),
    points: fc.integer({ min: -2, max: 2 }),
  })
  .map(({ what, ...rule }) => ({ ...rule, ...what }));

const scoring: Trial = {
  asset: leadScoringAsset,
  // Names may repeat in an account. The built-in rules are wanted often enough to come up.
  wanted: fc
    .oneof(fc.array(rule, { maxLength: 4 }), fc.constant(DEFAULT_RULES as Json))
    .map((rules) => [{ key: "rules", spec: leadScoringAsset.complete({ rules }) }]),
  changesTo: (wanted, now) =>
    wanted.map(({ key, spec: to }): Change => ({ do: "update", key, id: now[0]?.id ?? "", parts: [], to })),
};

describe.each([fields, pipelines, scoring])("the asset $asset.type", ({ asset, wanted, changesTo }) => {
  test("has after a change what was wanted, in one account or in many at once, and nothing else changes", async () => {
    const size = 3;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(wanted, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          const together = await newAccounts(size);
          const apart = await newAccounts(size);
          const before = await rowsBut([...together, ...apart]);
          for (const round of rounds) {
            const now = await read(asset, [...together, ...apart]);
            const to = (id: string, index: number) => changesTo(round[index] ?? [], now.get(id) ?? []);
            const applied = await apply(asset, new Map(together.map((id, index) => [id, to(id, index)])));
            for (const [index, id] of apart.entries()) await applyOne(asset, id, ...to(id, index));
            const after = await read(asset, [...together, ...apart]);
            for (const [index, id] of together.entries()) {
              const live = (after.get(id) ?? []).filter(({ archived }) => !archived);
              const bySpec = (specs: readonly Spec[]) =>
                specs.map((spec) => JSON.stringify(sorted(withoutKeys(spec)))).toSorted();
              expect(bySpec(live.map(({ spec }) => spec))).toEqual(bySpec((round[index] ?? []).map(({ spec }) => spec)));
              const shown = ({ id, parts }: Pick<Live | Applied, "id" | "parts">) => [id, ...parts].join();
              expect((applied.get(id) ?? []).map(shown).toSorted()).toEqual(live.map(shown).toSorted());
              expect(anonymous(after.get(id) ?? [])).toEqual(anonymous(after.get(apart[index] ?? "") ?? []));
            }
            await expectDigests(asset, [...together, ...apart, bystander]);
          }
          expect(await rowsBut([...together, ...apart])).toEqual(before);
        },
      ),
      { numRuns: sized(15, 100) },
    );
  });
});

describe("a pipeline", () => {
  const spec = (name: string, is_default = false) =>
    pipelineAsset.complete({
      name,
      is_default,
      stages: ["open", "won", "lost"].map((type) => ({ key: type, name: type, type })),
    });

  test("that is due is there for whoever looks, and is created when the account changes", async () => {
    const [due = "", used = ""] = await newAccounts(2);
    await pipelineOf(world, partner, used);
    const [looks, reads] = await Promise.all([look(pipelineAsset, [due, used]), read(pipelineAsset, [due, used])]);
    expect(looks.get(due)?.digest).toBe(looks.get(used)?.digest);
    expect(anonymous(reads.get(due) ?? [])).toEqual(anonymous(reads.get(used) ?? []));
    expect(reads.get(due)).toMatchObject([{ spec: pipelineAsset.builtin[0] }]);
    const [first] = reads.get(due) ?? [];
    const before = (first?.spec.stages ?? []) as Spec[];
    const to = { ...first?.spec, name: "Renamed", stages: [3, 0, 4, 5].map((at) => before[at] ?? null) };
    const parts = [3, 0, 4, 5].map((at) => first?.parts[at] ?? null);
    const change: Change = { do: "update", key: "p", id: first?.id ?? "", parts, to };
    const [applied] = await applyOne(pipelineAsset, due, change);
    const shown = await pipelineOf(world, partner, due);
    expect([shown.id, shown.name, shown.version, shown.stages.map(({ name }: Json) => name)]).toEqual([
      first?.id,
      "Renamed",
      2,
      ["Negotiation", "New", "Won", "Lost"],
    ]);
    expect(shown.stages.map(({ id }: Json) => id)).toEqual(parts);
    expect(applied).toEqual({ key: "p", id: shown.id, parts });
  });

  test("that is due has the ids that it gets, whoever creates it", async () => {
    const [id = ""] = await newAccounts(1);
    const due = await look(pipelineAsset, [id]);
    await pipelineOf(world, partner, id);
    expect(await look(pipelineAsset, [id])).toEqual(due);
  });

  test("that is due is created beside one that comes, which may take its place as the default", async () => {
    const [id = ""] = await newAccounts(1);
    await applyOne(pipelineAsset, id, { do: "create", key: "p", to: spec("Renewals", true) });
    const records = await readOne(pipelineAsset, id);
    expect(records.map(({ spec }) => [spec.name, spec.is_default])).toEqual([
      ["Sales", false],
      ["Renewals", true],
    ]);
  });

  test("is not removed with open deals, nor a stage with deals", async () => {
    const [id = ""] = await newAccounts(1);
    const [other] = await applyOne(pipelineAsset, id, { do: "create", key: "p", to: spec("Renewals") });
    const [sales] = await readOne(pipelineAsset, id);
    if (other === undefined || sales === undefined) throw new Error("no pipelines");
    const of = { account_id: id, id: other.id };
    expect(await blocked(pipelineAsset, id, { id: other.id, parts: [] }, { id: sales.id, parts: sales.parts })).toEqual([]);
    const deal = await newDeal(world, partner, { account_id: id, pipeline_id: other.id });
    expect(await blocked(pipelineAsset, id, { id: other.id, parts: [] })).toEqual([{ ...of, part: null, count: 1 }]);
    expect(await blocked(pipelineAsset, id, { id: other.id, parts: other.parts })).toEqual([
      { ...of, part: other.parts[0], count: 1 },
    ]);
    await moveDeal(world, partner, deal.id, { stage: "won" });
    expect(await blocked(pipelineAsset, id, { id: other.id, parts: [] })).toEqual([]);
    expect(await blocked(pipelineAsset, id, { id: other.id, parts: other.parts })).toEqual([
      { ...of, part: other.parts[1], count: 1 },
    ]);
  });

  test("that is unmade is deleted, unless a deal was ever in it", async () => {
    const [id = ""] = await newAccounts(1);
    const to = (name: string): Change => ({ do: "create", key: name, to: spec(name) });
    const made = await applyOne(pipelineAsset, id, to("Used"), to("Unused"), to("Removed"));
    const deal = await newDeal(world, partner, { account_id: id, pipeline_id: made[0]?.id });
    const { id: sales } = await pipelineOf(world, partner, id);
    expect((await moveDeal(world, partner, deal.id, { pipeline_id: sales, stage: "New" })).status).toBe(200);
    const remove = (at: number, unmade: boolean): Change => ({ do: "remove", key: "p", id: made[at]?.id ?? "", unmade });
    expect(await applyOne(pipelineAsset, id, remove(0, true), remove(1, true), remove(2, false))).toEqual([]);
    expect((await readOne(pipelineAsset, id)).map(({ spec, archived }) => [spec.name, archived])).toEqual([
      ["Sales", false],
      ["Used", true],
      ["Removed", true],
    ]);
    const history = await world.call("GET", `/v1/deals/${deal.id}/history`, { key: partner.key });
    expect(history.body.data.map(({ stage }: Json) => stage)).toEqual(["New", "open"]);
  });

  test("changes its version and its time once, and the others of its account stay as they are", async () => {
    const [id = ""] = await newAccounts(1);
    const [made] = await applyOne(pipelineAsset, id, { do: "create", key: "p", to: spec("Renewals") });
    const sales = await pipelineOf(world, partner, id);
    world.clock.advance(1_000);
    const change: Change = { do: "update", key: "p", id: made?.id ?? "", parts: made?.parts ?? [], to: spec("Again") };
    await applyOne(pipelineAsset, id, change);
    const { body } = await world.call("GET", `/v1/pipelines/${made?.id}`, { key: partner.key });
    expect([body.version, body.updated_at, body.name]).toEqual([2, world.clock.now().toISOString(), "Again"]);
    expect(body.stages.map((stage: Json) => stage.id)).toEqual(made?.parts);
    expect(await pipelineOf(world, partner, id)).toEqual(sales);
  });
});

describe("the rules that score leads", () => {
  const CALLED = { name: "Can be called", field: "phone", op: "exists", value: null, points: 40 };
  const get = async (id: string) => (await world.call("GET", `/v1/leads/scoring?account_id=${id}`, { key: partner.key })).body;
  const rescore = () => {
    const job = leads.jobs?.(world.app.services, "03:00").find((one) => one.name === "lead_scores");
    const { db } = world.app.services;
    return job?.run({ db, owner: db, clock: world.clock });
  };

  test("are the built-in ones until they are changed, and again when they are removed; leads follow both times", async () => {
    const [id = "", fresh = ""] = await newAccounts(2);
    const lead = await world.newLead(partner, { account_id: id, phone: nextPhone() });
    const scoreOf = async () => (await world.call("GET", `/v1/leads/${lead.id}`, { key: partner.key })).body.score;
    expect(await readOne(leadScoringAsset, id)).toEqual([
      { id, archived: false, key: "rules", spec: leadScoringAsset.builtin[0], parts: [] },
    ]);
    const before = await look(leadScoringAsset, [id, fresh]);
    expect(before.get(id)?.digest).toBe(before.get(fresh)?.digest);
    const to = leadScoringAsset.complete({ rules: [CALLED] });
    const change: Change = { do: "update", key: "rules", id, parts: [], to };
    expect(await applyOne(leadScoringAsset, id, change)).toEqual([{ key: "rules", id, parts: [] }]);
    const { value: _, ...shown } = CALLED;
    expect(await get(id)).toMatchObject({ rules: [shown], rescoring: true, version: 2 });
    await rescore();
    expect([(await get(id)).rescoring, await scoreOf()]).toEqual([false, 40]);
    expect(await applyOne(leadScoringAsset, id, { do: "remove", key: "rules", id, unmade: true })).toEqual([]);
    expect(await get(id)).toMatchObject({ rules: DEFAULT_RULES, rescoring: true, version: 3 });
    await rescore();
    expect(await scoreOf()).toBe(lead.score);
    expect((await look(leadScoringAsset, [id])).get(id)?.digest).toBe(before.get(id)?.digest);
    await world.newLead(partner, { account_id: fresh });
    await applyOne(leadScoringAsset, fresh, { ...change, id: fresh });
    expect((await get(fresh)).version).toBe(2);
  });
});

/** Members in one order, as JSON has none. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([member, of]) => [member, sorted(of)]),
  );
}

/** Two accounts have the same digest if and only if their records are the same but for ids, and a look has the ids in their order. */
async function expectDigests(asset: Asset, ids: readonly string[]) {
  const [looks, reads] = await Promise.all([look(asset, ids), read(asset, ids)]);
  expect([...looks.keys()].toSorted()).toEqual([...new Set(ids)].toSorted());
  const same = new Map<string, string>();
  for (const id of ids) {
    const records = reads.get(id) ?? [];
    expect(looks.get(id)?.ids).toEqual(records.flatMap((record) => [record.id, ...record.parts]));
    expect(records.map((record) => record.id)).toEqual(records.map((record) => record.id).toSorted());
    const text = JSON.stringify(sorted(anonymous(records)));
    const digest = looks.get(id)?.digest ?? "";
    expect(same.get(text) ?? digest).toBe(digest);
    same.set(text, digest);
  }
  expect(new Set(same.values()).size).toBe(same.size);
}
