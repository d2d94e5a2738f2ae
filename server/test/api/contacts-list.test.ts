import { beforeAll, expect, test } from "vitest";
import { walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let owner_id: string;
let contacts: Json[];

const PEOPLE = [
  { name: "Ada Okafor", company: "Harbour Dental", email: "ada@harbour.example", tags: ["vip", "emea"], phone: "+14155558001" },
  { name: "Bo Eklund", company: "Kite & Anchor", notes: "Wants a quotation for roofing", phone: "+46701234567" },
  { name: "chloé Durand", company: "harbour dental", tags: ["emea"], phone: "+33612345678" },
  { name: "Dmitri 100% Real", email: "d_real@kite.example", phone: "+14155558004" },
];

beforeAll(async () => {
  partner = await world.newPartner();
  const user = { name: "Owner", email: "owner@list.example", role: "member", accounts: "all" };
  owner_id = (await world.call("POST", `${BASE}/users`, { key: partner.key, body: user })).body.id;
  contacts = [];
  for (const [index, person] of PEOPLE.entries()) {
    world.clock.advance(1_000);
    contacts.push(await world.newContact(partner, index === 3 ? { ...person, owner_id } : person));
  }
});

const at = (rows: Json[]) => rows.map(({ id }) => contacts.findIndex((contact) => contact.id === id));
const find = (query: Record<string, string | number>) =>
  walk(world, partner.key, "/v1/contacts", { sort: "created_at", ...query });

test.each([
  [{ tag: "emea" }, [0, 2]],
  [{ tag: "none" }, []],
  [{ company: "HARBOUR dental" }, [0, 2]],
  [{ q: "okafor" }, [0]],
  [{ q: "OKAFFOR" }, [0]],
  [{ q: "eklnud" }, []],
  [{ q: "eklud" }, [1]],
  [{ q: "harbor" }, [0, 2]],
  [{ q: "Chloé" }, [2]],
  [{ q: "quotaton" }, [1]],
  [{ q: "kite" }, [1, 3]],
  [{ q: "55580" }, [0, 3]],
  [{ q: "+4670" }, [1]],
  [{ q: "100%" }, [3]],
  [{ q: "d_real" }, [3]],
  [{ q: "zzzz" }, []],
  [{ q: "harbour", tag: "vip" }, [0]],
])("%j gives exactly the contacts that fit", async (query, expected) => {
  expect(at(await find(query as Record<string, string>))).toEqual(expected);
});

test("owner and times are filters: created_after and updated_after are inclusive, created_before is not", async () => {
  expect(at(await find({ owner_id }))).toEqual([3]);
  const { created_at } = contacts[1];
  expect(at(await find({ created_after: created_at }))).toEqual([1, 2, 3]);
  expect(at(await find({ created_before: created_at }))).toEqual([0]);
  world.clock.advance(1_000);
  const { body } = await world.call("PATCH", `/v1/contacts/${contacts[0].id}`, { key: partner.key, body: { owner_id } });
  expect(at(await find({ updated_after: body.updated_at }))).toEqual([0]);
  expect(at(await find({ sort: "-updated_at", limit: 1 }))).toEqual([0, 3, 2, 1]);
});

test.each([1, 3, 100])("in pages of %i, a walk by name is in its order, whatever the case", async (limit) => {
  expect(at(await find({ sort: "name", limit }))).toEqual([0, 1, 2, 3]);
});

test("an export has the whole list, by its filters", async () => {
  const csv = await world.call("GET", "/v1/contacts?tag=emea&sort=name&format=csv", { key: partner.key });
  const lines = csv.text.trim().split("\r\n");
  expect([lines.length, lines[0]?.startsWith("id,account_id,name,phone,email")]).toEqual([3, true]);
  expect(lines[1]).toContain(",+14155558001,");
  const ndjson = await world.call("GET", "/v1/contacts?format=ndjson", { key: partner.key });
  expect(ndjson.text.trim().split("\n")).toHaveLength(4);
});
