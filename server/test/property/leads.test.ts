import fc from "fast-check";
import { expect, test } from "vitest";
import { walk } from "../harness/lists.ts";
import { sized } from "../harness/size.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((value) => value.trim() !== "" && !value.includes("\0"));
const tags = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
const known = { company: fc.option(text), notes: fc.option(text), tags };
const lead = fc.record(
  { name: text, title: text, status: fc.constantFrom("new", "working", "qualified"), email: fc.boolean(), ...known },
  { requiredKeys: ["name", "email"] },
);
/** The contact that is there before, if there is one, and by what it is found. */
const contact = fc.option(fc.record({ by: fc.constantFrom("phone", "email"), fields: fc.record({ name: text, ...known }) }));
const given = fc.record({ name: text, phone: fc.boolean(), ...known }, { requiredKeys: ["phone"] });

let mailboxes = 0;

async function seen({ key }: TestPartner, path: string): Promise<Json> {
  const { status, body } = await world.call("GET", path, { key });
  if (status === 404) return null;
  const { version: _, updated_at: __, ...rest } = body;
  return { ...rest, notes_beside: await walk(world, key, `${path}/notes`) };
}

test("whatever the lead and the contact, a conversion taken back leaves both as they were", async () => {
  const partner = await world.newPartner();
  const { id: account_id } = await world.newClient(partner);
  await fc.assert(
    fc.asyncProperty(lead, contact, given, fc.boolean(), async ({ email, ...fields }, there, { phone, ...more }, deal) => {
      mailboxes += 1;
      const address = `box${mailboxes}@property.example`;
      const numbers = { lead: nextPhone(), contact: nextPhone() };
      const made = await world.newLead(partner, {
        ...fields,
        account_id,
        phone: numbers.lead,
        ...(email ? { email: address } : {}),
      });
      await world.call("POST", `/v1/leads/${made.id}/notes`, { key: partner.key, body: { body: "Before" } });
      const identity = there?.by === "email" ? { phone: numbers.contact, email: address } : { phone: numbers.lead };
      const existing = there === null ? null : await world.newContact(partner, { ...there.fields, ...identity, account_id });
      const before = await seen(partner, `/v1/leads/${made.id}`);
      const contactBefore = existing === null ? null : await seen(partner, `/v1/contacts/${existing.id}`);
      const body = {
        contact: { name: "Given", ...more, ...(phone ? { phone: nextPhone() } : {}) },
        ...(deal ? { deal: {} } : {}),
      };
      const converted = await world.call("POST", `/v1/leads/${made.id}/convert`, { key: partner.key, body });
      expect([converted.status, converted.body.lead.status, converted.body.deal !== null]).toEqual([200, "converted", deal]);
      expect((await world.call("POST", `/v1/leads/${made.id}/unconvert`, { key: partner.key })).status).toBe(200);
      expect(await seen(partner, `/v1/leads/${made.id}`)).toEqual(before);
      if (existing !== null) expect(await seen(partner, `/v1/contacts/${existing.id}`)).toEqual(contactBefore);
      if (converted.body.contact.id !== existing?.id) {
        expect(await seen(partner, `/v1/contacts/${converted.body.contact.id}`)).toBeNull();
      }
    }),
    { numRuns: sized(15, 80) },
  );
});
