import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { walk } from "../harness/lists.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const COUNT = 2_600;
/** One in so many has the tag: few enough to be looked up, many enough to be met on the way, and both by turns. */
const TAGS = { rare: 700, some: 30, common: 2 };

let partner: TestPartner;
const ids: string[] = [];
const tagsOf = (place: number) => Object.entries(TAGS).flatMap(([tag, every]) => (place % every === 0 ? [tag] : []));

beforeAll(async () => {
  partner = await world.newPartner();
  const { account_id } = await world.newContact(partner);
  for (let place = 0; place < COUNT; place += 1) ids.push(newId("contact", world.clock.now().getTime() + place));
  await world.db.sql(
    `insert into contacts (partner_id, id, account_id, name, phone, tags, custom, created_at, updated_at)
     select $1, s.id, $2, 'Person ' || (s.place * 7919) % 10000, '+1415' || 2000000 + s.place, array(select json_array_elements_text(s.tags::json)),
       case when s.place % 30 = 0 then '{"size": "41"}' else '{}' end::jsonb, now(), now()
     from unnest($3::text[], $4::text[], $5::int[]) as s (id, tags, place)`,
    [partner.partner_id, account_id, ids, ids.map((_, place) => JSON.stringify(tagsOf(place))), ids.map((_, place) => place)],
  );
});

const having = (tag: string) => ids.filter((_, place) => tagsOf(place).includes(tag));

describe.each(Object.keys(TAGS))("the contacts with a %s tag", (tag) => {
  test.each([7, 100])("are each in the list once and in its order, %i at a time", async (limit) => {
    const rows = await walk(world, partner.key, "/v1/contacts", { tag, limit });
    expect(rows.map(({ id }) => id)).toEqual(having(tag).reverse());
  });

  test("are found in another order too", async () => {
    const rows = await walk(world, partner.key, "/v1/contacts", { tag, limit: 50, sort: "name" });
    expect(rows.map(({ id }) => id).toSorted()).toEqual(having(tag).toSorted());
    const names = rows.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
  });
});

/** So many contacts at once, then one an hour: the newest slices of ids are full, and older ones nearly empty or full again. */
const SLICED = [
  { count: 300, step_ms: 3_600_000 },
  { count: 900, step_ms: 20_000 },
  { count: 400, step_ms: 1 },
  { count: 500, step_ms: 60_000 },
];
/** One in so many has the word: in every slice, in some, in few. */
const WORDS = { Okafor: 3, Zimmoglu: 40, Quisthagen: 350 };

describe("a search of many slices of ids", () => {
  let owner: TestPartner;
  const accounts: string[] = [];
  const people: { id: string; name: string; account_id: string }[] = [];

  beforeAll(async () => {
    owner = await world.newPartner();
    for (let index = 0; index < 2; index += 1) accounts.push((await world.newClient(owner)).id);
    let at_ms = world.clock.now().getTime() - 400 * 86_400_000;
    for (const { count, step_ms } of SLICED) {
      for (let index = 0; index < count; index += 1) {
        at_ms += step_ms;
        const words = Object.entries(WORDS).flatMap(([word, every]) => (people.length % every === 0 ? [word] : []));
        const account_id = accounts[people.length % 7 === 0 ? 1 : 0] ?? "";
        people.push({ id: newId("contact", at_ms), name: ["Ada", ...words, people.length].join(" "), account_id });
      }
    }
    await world.db.sql(
      `insert into contacts (partner_id, id, account_id, name, phone, email, created_at, updated_at)
       select $1, s.id, s.account_id, s.name, '+1415' || 2000000 + s.place, 'ada.' || s.place || '@lund.example', now(), now()
       from unnest($2::text[], $3::text[], $4::text[]) with ordinality as s (id, account_id, name, place)`,
      [owner.partner_id, people.map(({ id }) => id), people.map((one) => one.account_id), people.map(({ name }) => name)],
    );
    await world.db.sql("analyze contacts");
  });

  const idsWith = (text: string, account_id?: string) =>
    people
      .filter((one) => one.name.includes(text) && (account_id === undefined || one.account_id === account_id))
      .map(({ id }) => id)
      .reverse();
  const found = async (query: Record<string, string | number>) =>
    (await walk(world, owner.key, "/v1/contacts", query)).map(({ id }) => id);

  test.each(Object.keys(WORDS).flatMap((word) => [3, 100].map((limit) => [word, limit] as const)))(
    "finds everybody with %s once, newest first, %i at a time",
    async (word, limit) => {
      expect(await found({ q: word.toLowerCase(), limit })).toEqual(idsWith(word));
    },
  );

  test("finds those of one account", async () => {
    expect(await found({ q: "okafor", limit: 20, account_id: accounts[1] ?? "" })).toEqual(idsWith("Okafor", accounts[1]));
  });

  test("finds similar names likewise", async () => {
    expect(await found({ q: "zimmolgu", limit: 3 })).toEqual(idsWith("Zimmoglu"));
  });

  test("finds several words only where they stand as they are written", async () => {
    expect(await found({ q: "ada.77@lund.example" })).toEqual([people[76]?.id]);
    expect(await found({ q: "ada zimmoglu" })).toEqual(idsWith("Ada Zimmoglu"));
  });
});

describe("a search", () => {
  test("is for the text itself, and for words much like it only where nothing has it", async () => {
    const { key } = await world.newPartner();
    const make = (name: string, phone: string) => world.call("POST", "/v1/contacts", { key, body: { name, phone } });
    const { body: near } = await make("Ada Okafor", "+14155559001");
    const found = async (q: string) => (await walk(world, key, "/v1/contacts", { q })).map(({ id }) => id);
    expect(await found("okafro")).toEqual([near.id]);
    const { body: exact } = await make("Bo Okafro", "+14155559002");
    expect(await found("okafro")).toEqual([exact.id]);
  });

  test("goes on as it began, although somebody with the very text comes meanwhile", async () => {
    const fresh = await world.newPartner();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await world.newContact(fresh, { name: `Ada Okafor ${index}` })).id);
    const rows = await walk(world, fresh.key, "/v1/contacts", { q: "okafro", limit: 2, sort: "created_at" }, () =>
      world.newContact(fresh, { name: "Bo Okafro" }),
    );
    expect(rows.map(({ id }) => id).filter((id) => made.includes(id))).toEqual(made);
  });
});
