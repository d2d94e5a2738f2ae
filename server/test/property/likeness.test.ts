import fc from "fast-check";
import { expect, test } from "vitest";
import { addHay, histories, nameOf, type Straw, strawsOf } from "../harness/haystack.ts";
import { walk } from "../harness/lists.ts";
import { sized } from "../harness/size.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const RUNS = sized(3, 40);
const ACCOUNTS = 2;
const MONTHS_MS = 200 * 86_400_000;

async function partnerWith(kind: "contact" | "client", straws: readonly Straw[]): Promise<TestPartner> {
  const partner = await world.newPartner();
  const accounts: string[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    accounts.push((await world.newClient(partner, { company: `The account ${account}` })).id);
  }
  await addHay(world, kind, partner, accounts, straws);
  return partner;
}

const begun_ms = () => world.clock.now().getTime() - MONTHS_MS;

/** Every pair of one account that the rules of duplicates make, by comparing everybody with everybody. */
const PAIRS = `
  with near as (
    select n.id as newer, o.id as older, similarity(lower(o.name), lower(n.name)) as score,
      row_number() over (partition by n.id order by o.id desc) as place
    from contacts n join contacts o on o.partner_id = n.partner_id and o.account_id = n.account_id and o.id < n.id
    where n.partner_id = $1 and n.deleted_at is null and o.deleted_at is null
      and word_similarity(lower(n.name), contact_search_text(o.name, o.email, o.phone, o.company, o.notes)) >= 0.5),
  scored as (
    select *, row_number() over (partition by newer order by score desc, older desc) as place_of_score
    from near where place <= 50 and score >= 0.6)
  select newer, older from scored where place_of_score <= 5 order by newer desc, place_of_score`;

test("whatever contacts there are, their likely duplicates are those that comparing everybody with everybody finds", async () => {
  await fc.assert(
    fc.asyncProperty(histories(260), fc.constantFrom(11, 100), async (history, limit) => {
      const straws = strawsOf(history, begun_ms(), ACCOUNTS);
      const partner = await partnerWith("contact", straws);
      await partnerWith("contact", straws.slice(0, 20));
      const pairs = await walk(world, partner.key, "/v1/contacts/duplicates", { limit });
      const wanted = await world.db.sql<{ newer: string; older: string }>(PAIRS, [partner.partner_id]);
      expect(pairs.map(({ contacts }: Json) => ({ newer: contacts[0].id, older: contacts[1].id }))).toEqual(wanted);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

/** What somebody asks about: a company by its name, its mail or its phone, of a client or of nobody. */
const QUESTIONS: Record<string, (straw: Straw) => object> = {
  name: (straw) => ({ company: `${nameOf(straw).toUpperCase()} GmbH` }),
  "name of nobody": (straw) => ({ company: `${nameOf(straw)} Brothers` }),
  phone: ({ phone }) => ({ contact: { phone } }),
  "phone of nobody": ({ phone }) => ({ contact: { phone: `${phone.slice(0, -7)}9${phone.slice(-6)}` } }),
  mail: ({ email }) => ({ contact: { email: email ?? "ada@nobody.example" } }),
};

test("whatever clients there are, a company is free if comparing it with every client finds none", async () => {
  const questions = fc.array(fc.record({ about: fc.constantFrom(...Object.keys(QUESTIONS)), of: fc.nat() }), {
    minLength: 25,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(histories(60), questions, async (history, questions) => {
      const straws = strawsOf(history, begun_ms(), ACCOUNTS);
      const partner = await partnerWith("client", straws);
      const present = straws.filter(({ gone }) => !gone);
      for (const { about, of } of questions) {
        const straw = straws[of % straws.length] as Straw;
        const same: Record<string, (client: Straw) => boolean> = {
          name: (client) => nameOf(client) === nameOf(straw),
          phone: ({ phone }) => phone === straw.phone,
          mail: ({ email }) => email !== null && straw.email !== null && email.split("@")[1] === straw.email.split("@")[1],
        };
        const body = QUESTIONS[about]?.(straw);
        const reply = await world.call("POST", `${BASE}/deals/check`, { key: partner.key, body });
        const available = !present.some((client) => same[about]?.(client) ?? false);
        expect({ body, ...reply.body }).toEqual({ body, available, protected_until: null });
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
