import fc from "fast-check";
import { expect, test } from "vitest";
import { changes, walk } from "../harness/lists.ts";
import { sized } from "../harness/size.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const RUNS = sized(8, 50);

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((value) => value.trim() !== "" && !value.includes("\0"));
const status = fc.constantFrom("granted", "denied", "unknown");
let mailboxes = 0;

/** A contact with any of its fields, and what it said about some channels. */
const person = fc.record({
  fields: fc.record(
    {
      name: text,
      email: fc.constant(true),
      company: fc.option(text),
      tags: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d")),
      notes: fc.option(fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"))),
      external_id: fc.constant(true),
    },
    { requiredKeys: ["name"] },
  ),
  consent: fc.dictionary(fc.constantFrom("sms", "email", "whatsapp", "calls"), fc.record({ status, source: fc.option(text) })),
});
const choices = fc.uniqueArray(fc.constantFrom("name", "phone", "email", "company", "notes", "owner_id", "external_id"));

type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

async function make(partner: TestPartner, { fields, consent }: Person): Promise<Json> {
  mailboxes += 1;
  const contact = await world.newContact(partner, {
    ...fields,
    ...(fields.email === undefined ? {} : { email: `box${mailboxes}@property.example` }),
    ...(fields.external_id === undefined ? {} : { external_id: `ext-${mailboxes}` }),
  });
  if (Object.keys(consent).length > 0) {
    await world.call("PUT", `/v1/contacts/${contact.id}/consent`, { key: partner.key, body: consent });
  }
  return contact;
}

/** All that a caller can see of a contact, but for what every change moves on. */
async function seen({ key }: TestPartner, id: string): Promise<Json> {
  const [{ body }, consent] = await Promise.all([
    world.call("GET", `/v1/contacts/${id}`, { key }),
    world.call("GET", `/v1/contacts/${id}/consent`, { key }),
  ]);
  const { version: _, updated_at: __, ...contact } = body;
  return { contact, consent: consent.body, notes: await walk(world, key, `/v1/contacts/${id}/notes`) };
}

test("whatever two contacts are, a merge upon a merge that is undone leaves the first as it was", async () => {
  const partner = await world.newPartner();
  await fc.assert(
    fc.asyncProperty(fc.tuple(person, person, person), choices, async (people, take) => {
      const contacts: Json[] = [];
      for (const one of people) contacts.push(await make(partner, one));
      const before = await Promise.all(contacts.map(({ id }) => seen(partner, id)));
      const merge = async (into: Json, from: Json) =>
        (await world.call("POST", `/v1/contacts/${into.id}/merge`, { key: partner.key, body: { from_id: from.id, take } })).body
          .id;
      await merge(contacts[0], contacts[1]);
      const between = await seen(partner, contacts[0].id);
      const second = await merge(contacts[2], contacts[0]);
      const undo = async (id: string) =>
        expect((await world.call("POST", `/v1/contacts/merges/${id}/undo`, { key: partner.key })).status).toBe(200);
      await undo(second);
      expect(await seen(partner, contacts[0].id)).toEqual(between);
      expect(await seen(partner, contacts[2].id)).toEqual(before[2]);
    }),
    { numRuns: RUNS },
  );
});

test("whatever two contacts are, a merge undone at once restores both", async () => {
  const partner = await world.newPartner();
  await fc.assert(
    fc.asyncProperty(person, person, choices, async (one, other, take) => {
      const [into, from] = [await make(partner, one), await make(partner, other)];
      const before = [await seen(partner, into.id), await seen(partner, from.id)];
      const options = { key: partner.key, body: { from_id: from.id, take } };
      const { body } = await world.call("POST", `/v1/contacts/${into.id}/merge`, options);
      expect((await world.call("POST", `/v1/contacts/merges/${body.id}/undo`, { key: partner.key })).status).toBe(200);
      expect([await seen(partner, into.id), await seen(partner, from.id)]).toEqual(before);
    }),
    { numRuns: RUNS },
  );
});

const plan = fc.record({
  limit: fc.integer({ min: 1, max: 9 }),
  before: fc.nat(12),
  meanwhile: fc.array(fc.record({ count: fc.nat(3), step_ms: fc.nat(2) }), { minLength: 1, maxLength: 8 }),
});

test.each(["-created_at", "created_at", "name", "q", "custom"])(
  "while contacts are being made, a walk by %s gives those that were there exactly once",
  async (by) => {
    const query: Record<string, string> = by === "q" ? { q: "okafor" } : by === "custom" ? { "custom.code": "7" } : { sort: by };
    await fc.assert(
      fc.asyncProperty(plan, async ({ limit, before, meanwhile }) => {
        const partner = await world.newPartner();
        const definition = { resource: "contact", key: "code", type: "text" };
        await world.call("POST", "/v1/custom-fields", { key: partner.key, body: definition });
        const makeSome = async (count: number, step_ms: number) => {
          const ids: string[] = [];
          for (let index = 0; index < count; index += 1) {
            world.clock.advance(step_ms);
            const name = `${["Ada", "Bo", "Cleo"][index % 3]} Okafor`;
            ids.push((await world.newContact(partner, { name, custom: { code: "7" } })).id);
          }
          return ids;
        };
        const there = await makeSome(before, 1);
        const rounds = [...meanwhile];
        const rows = await walk(world, partner.key, "/v1/contacts", { limit, ...query }, async () => {
          const round = rounds.shift();
          if (round !== undefined) await makeSome(round.count, round.step_ms);
        });
        const ids = rows.map(({ id }) => id);
        expect(ids.filter((id) => there.includes(id)).toSorted()).toEqual(there.toSorted());
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: sized(4, 20) },
    );
  },
);

test("a reader of the change feed that goes on while contacts change gets every change once, each contact's in order", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ limit, before, meanwhile }) => {
      const partner = await world.newPartner();
      const read: Json[] = [];
      let cursor = "";
      const readOn = async () => {
        const { body } = await world.call("GET", `/v1/changes?limit=${limit}${cursor}`, { key: partner.key });
        read.push(...body.data);
        cursor = `&after=${body.next_cursor}`;
        return body.has_more;
      };
      const change = (count: number) =>
        Promise.all(
          Array.from({ length: count }, async () => {
            const { id } = await world.newContact(partner, { phone: nextPhone() });
            await world.call("PATCH", `/v1/contacts/${id}`, { key: partner.key, body: { name: "Changed" } });
            await world.call("DELETE", `/v1/contacts/${id}`, { key: partner.key });
          }),
        );
      await change(before);
      for (const { count } of meanwhile) await Promise.all([readOn(), change(count)]);
      while (await readOn());
      expect(read).toEqual(await changes(world, partner.key));
      const [stored] = await world.db.sql<{ count: string }>("select count(*) from change_feed where partner_id = $1", [
        partner.partner_id,
      ]);
      expect(read).toHaveLength(Number(stored?.count));
      for (const told of Map.groupBy(read, ({ id }) => id).values()) {
        expect(told.map(({ change, version }) => [change, version])).toEqual([
          ["created", 1],
          ["updated", 2],
          ["deleted", 3],
        ]);
      }
    }),
    { numRuns: sized(4, 20) },
  );
});
