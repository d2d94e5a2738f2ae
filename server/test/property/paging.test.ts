import fc from "fast-check";
import { expect, test } from "vitest";
import { feed, walk } from "../harness/lists.ts";
import { sized } from "../harness/size.ts";
import { BASE, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const RUNS = sized(5, 30);

const limit = fc.integer({ min: 1, max: 9 });
const before = fc.nat(15);
/** How many things are made while each further page is read, and how far the clock goes on before each of them. */
const meanwhile = fc.array(fc.record({ count: fc.nat(3), step_ms: fc.nat(2) }), { minLength: 1, maxLength: 8 });

type Plan = { limit: number; before: number; meanwhile: { count: number; step_ms: number }[] };
const plan: fc.Arbitrary<Plan> = fc.record({ limit, before, meanwhile });

async function makeClients(partner: TestPartner, count: number, step_ms: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(step_ms);
    ids.push((await world.newClient(partner)).id);
  }
  return ids;
}

/** Does what the plan has for each page, and after its end nothing, so that the walk comes to one too. */
function interfering(partner: TestPartner, { meanwhile }: Plan): () => Promise<unknown> {
  const rounds = [...meanwhile];
  return async () => {
    const round = rounds.shift();
    if (round !== undefined) await makeClients(partner, round.count, round.step_ms);
  };
}

/** Every id that was there from the start is in the walk exactly once, and no id is in it twice. */
function expectEachOnce(there: string[], rows: Json[]): void {
  const seen = rows.map(({ id }) => id);
  expect(seen.filter((id) => there.includes(id)).toSorted()).toEqual(there.toSorted());
  expect(new Set(seen).size).toBe(seen.length);
}

test("while clients are being made, a walk through the list gives those that were there exactly once, either way round", async () => {
  const sorted = fc.tuple(plan, fc.constantFrom("created_at", "-created_at"));
  await fc.assert(
    fc.asyncProperty(sorted, async ([plan, sort]) => {
      const partner = await world.newPartner();
      const there = await makeClients(partner, plan.before, 1);
      const rows = await walk(world, partner.key, "/clients", { limit: plan.limit, sort }, interfering(partner, plan));
      expectEachOnce(there, rows);
      const ids = rows.map(({ id }) => id);
      expect(ids).toEqual(sort === "created_at" ? ids.toSorted() : ids.toSorted().reverse());
    }),
    { numRuns: RUNS },
  );
});

test("while clients are being made, a walk by company gives those that were there exactly once, either way round", async () => {
  const named = fc.tuple(
    plan,
    fc.array(
      fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name.trim() !== ""),
      { maxLength: 12 },
    ),
  );
  await fc.assert(
    fc.asyncProperty(named, fc.constantFrom("company", "-company"), async ([plan, names], sort) => {
      const partner = await world.newPartner();
      const there: string[] = [];
      for (const company of names) there.push((await world.newClient(partner, { company })).id);
      const rows = await walk(world, partner.key, "/clients", { limit: plan.limit, sort }, interfering(partner, plan));
      expectEachOnce(there, rows);
    }),
    { numRuns: RUNS },
  );
});

test("while clients are being made, a filtered walk gives those that matched throughout exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const partner = await world.newPartner();
      const there = await makeClients(partner, plan.before, 1);
      const suspended = there.filter((_, index) => index % 2 === 0);
      for (const id of suspended) await world.call("POST", `${BASE}/clients/${id}/suspend`, { key: partner.key });
      const query = { limit: plan.limit, status: "suspended" };
      expectEachOnce(suspended, await walk(world, partner.key, "/clients", query, interfering(partner, plan)));
    }),
    { numRuns: RUNS },
  );
});

/** The records of an account, each with a few names that they share, so that every order has ties. */
const NAMES = ["Ada", "Bo", "Cy"];
const RECORDS = {
  "/v1/contacts": { sorts: ["-created_at", "created_at", "name"], make: (name: string) => ({ name, phone: nextPhone() }) },
  "/v1/leads": { sorts: ["-created_at", "created_at", "name", "-score"], make: (name: string) => ({ name }) },
  "/v1/deals": { sorts: ["-created_at", "created_at", "name", "expected_close_on"], make: (name: string) => ({ name }) },
};

test.each(Object.entries(RECORDS))(
  "while records are being made, a walk through %s gives those that were there exactly once, in any order",
  async (path, { sorts, make }) => {
    const partner = await world.newPartner();
    await fc.assert(
      fc.asyncProperty(plan, fc.constantFrom(...sorts), fc.boolean(), async (plan, sort, tagged) => {
        const { id: account_id } = await world.newClient(partner);
        let made = 0;
        const add = async (count: number): Promise<string[]> => {
          const ids: string[] = [];
          for (let index = 0; index < count; index += 1) {
            made += 1;
            world.clock.advance(made % 2);
            const fields = { ...make(NAMES[made % NAMES.length] ?? ""), account_id, tags: made % 3 === 0 ? [] : ["some"] };
            ids.push((await world.call("POST", path, { key: partner.key, body: fields })).body.id);
          }
          return ids;
        };
        const there = await add(plan.before);
        const query = { limit: plan.limit, sort, account_id, ...(tagged ? { tag: "some" } : {}) };
        const rounds = [...plan.meanwhile];
        const rows = await walk(world, partner.key, path, query, () => add(rounds.shift()?.count ?? 0));
        expectEachOnce(tagged ? there.filter((_, index) => (index + 1) % 3 !== 0) : there, rows);
      }),
      { numRuns: RUNS },
    );
  },
);

test("while keys are being made, a walk through them gives those that were there exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const partner = await world.newPartner();
      for (let index = 0; index < plan.before; index += 1) await world.newKey(partner);
      const there = (await walk(world, partner.key, "/keys", { limit: 100 })).map(({ id }) => id);
      const rounds = [...plan.meanwhile];
      const rows = await walk(world, partner.key, "/keys", { limit: plan.limit }, async () => {
        for (let index = rounds.shift()?.count ?? 0; index > 0; index -= 1) await world.newKey(partner);
      });
      expectEachOnce(there, rows);
    }),
    { numRuns: RUNS },
  );
});

test("while the partner works, a walk through the audit log gives the entries that were there exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const partner = await world.newPartner();
      await makeClients(partner, plan.before, 1);
      const there = (await walk(world, partner.key, "/audit-log", { limit: 100 })).map(({ id }) => id);
      const rows = await walk(world, partner.key, "/audit-log", { limit: plan.limit }, interfering(partner, plan));
      expectEachOnce(there, rows);
    }),
    { numRuns: RUNS },
  );
});

test("a reader of the feed that goes on while clients change gets every event exactly once, each client's in order", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const partner = await world.newPartner();
      const read: Json[] = [];
      let cursor = "";
      const readOn = async () => {
        const { body } = await world.call("GET", `${BASE}/events?limit=${plan.limit}${cursor}`, { key: partner.key });
        read.push(...body.data);
        cursor = `&after=${body.next_cursor}`;
        return body.has_more;
      };
      await changeClients(partner, plan.before, 0);
      for (const { count, step_ms } of plan.meanwhile) await Promise.all([readOn(), changeClients(partner, count, step_ms)]);
      while (await readOn());
      expect(read).toEqual(await feed(world, partner.key));
      expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
      const [stored] = await world.db.sql<{ count: string }>("select count(*) from events where partner_id = $1", [
        partner.partner_id,
      ]);
      expect(read).toHaveLength(Number(stored?.count));
      for (const events of Map.groupBy(read, ({ data }) => data.client_id).values()) {
        expect(events.map(({ type }) => type)).toEqual(STORY);
      }
    }),
    { numRuns: RUNS },
  );
});

const STORY = ["client.created", "client.activated", "client.suspended", "client.activated"];

/** Makes clients, suspends each and takes it back, all at once. */
async function changeClients(partner: TestPartner, count: number, step_ms: number): Promise<void> {
  world.clock.advance(step_ms);
  await Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await world.newClient(partner);
      for (const verb of ["suspend", "reactivate"]) {
        await world.call("POST", `${BASE}/clients/${id}/${verb}`, { key: partner.key });
      }
    }),
  );
}
