import { beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";
import { neverMade, OPERATIONS, urlOf } from "./operations.ts";
import { ALL_THINGS, belongingsOf } from "./scene.ts";

/** In the role `api`, so that nothing changes between two requests. */
const world = useWorld({}, "api");

/** What has no id in its path: lists, feeds, searches, reports. Only the key's clients narrow it. Streams have tests of their own. */
const COLLECTIONS = OPERATIONS.filter(
  ({ route }) =>
    route.method === "GET" &&
    Object.keys(route.params).length === 0 &&
    !route.partner_wide &&
    route.scope !== "none" &&
    route.reply.endless !== true,
);

/** Two clients of one partner, and the partner's own account. */
const OWNERS = ["alder", "birch", "house"] as const;
type Owner = (typeof OWNERS)[number];

/** A word that is in every name of the scene, for searches. */
const COMMON = "Okafor";

let partner: TestPartner;
let clients: { alder: string; birch: string };
/** The ids and names of what belongs to each owner. */
let marks: Record<Owner, string[]>;
/** The keys of the scene, each with the owners whose things it may see. */
let keys: { name: string; key: string; sees: readonly Owner[] }[];

beforeAll(async () => {
  partner = await world.newPartner();
  const [alder, birch, empty] = [await newAccount("Alder Quay"), await newAccount("Birch Pier"), await newAccount("Cedar Lock")];
  clients = { alder: alder.id, birch: birch.id };
  const house = await fill("Dogwood Wharf");
  marks = { alder: alder.marks, birch: birch.marks, house: [...house, alder.sale, birch.sale] };
  const bound = async (name: string, ids: string[], sees: Owner[]) => ({
    name,
    key: await world.newKey(partner, { clients: ids }),
    sees,
  });
  keys = [
    await bound("bound to the first client", [alder.id], ["alder"]),
    await bound("bound to the second", [birch.id], ["birch"]),
    await bound("bound to both", [alder.id, birch.id], ["alder", "birch"]),
    await bound("bound to a client that has nothing", [empty.id], []),
  ];
  for (const client_ids of [null, [alder.id, birch.id]]) await post("/v1/partners/webhooks", { ...ENDPOINT, client_ids });
});

const ENDPOINT = { url: "https://hooks.test.example/", event_types: ["client.created"] };

async function post(path: string, body: object): Promise<Json> {
  const reply = await world.call("POST", path, { key: partner.key, body });
  if (reply.status !== 201) throw new Error(`POST ${path} in the scene: ${reply.text}`);
  return reply.body;
}

/** A client with one of everything, and its marks. A sale and the payout method are the partner's; a user, a snapshot, its versions and its rollouts are not in a client's account. */
async function newAccount(mark: string) {
  const client = await world.newClient(partner, { company: `${mark} ${COMMON}` });
  if (mark.startsWith("Cedar")) return { id: client.id, marks: [], sale: client.id };
  const idFor = await belongingsOf(world, partner, client.id);
  const ofPartner = [
    "sale",
    "user",
    "snapshot",
    "version_number",
    "rollout",
    "paused_rollout",
    "listing",
    "offer",
    "purchase",
    "payout_method",
  ];
  const own = ALL_THINGS.filter((thing) => !ofPartner.includes(thing)).map(idFor);
  return { id: client.id, marks: [mark, ...own, ...(await fill(mark, client.id))], sale: idFor("sale") };
}

/** Named records of an account, the house account by default: two similar contacts, a lead, a deal. Gives their ids. */
async function fill(mark: string, account_id?: string): Promise<string[]> {
  const fields = { name: `${mark} ${COMMON}`, ...(account_id === undefined ? {} : { account_id }) };
  const contacts = [await world.newContact(partner, fields), await world.newContact(partner, fields)];
  const deal = await post(`${GENERAL}/deals`, fields);
  return [...contacts, deal, await world.newLead(partner, fields)].map(({ id }) => id);
}

type Parameter = { enum?: readonly string[]; type?: string; maximum?: number };

const parametersOf = ({ query }: Route): Record<string, Parameter> =>
  (query as { properties?: Record<string, Parameter> } | undefined)?.properties ?? {};

const valuesOf = ({ enum: values = [], type }: Parameter) => (type === "boolean" ? ["true", "false"] : values);

/** Parameters that give a collection another statement, and do not only narrow it. */
const ARRANGING = ["sort", "group_by", "include_house"];

/** The requests of a collection: alone, in each arrangement, and as a search. */
function requestsOf(route: Route): string[] {
  const { q, limit, ...others } = parametersOf(route);
  const arranged = ARRANGING.flatMap((name) => valuesOf(others[name] ?? {}).map((value) => `${name}=${value}`));
  const search = q === undefined ? [] : [`q=${COMMON}`];
  const longest = limit === undefined ? "" : `limit=${Math.min(limit.maximum ?? 100, 100)}&`;
  return ["", ...arranged, ...search].map((more) => `${urlOf(route, neverMade)}?${longest}${more}`);
}

/** An export is always the whole list. */
const exportsOf = (route: Route) =>
  route.exportable === true ? ["csv", "ndjson"].map((format) => `${urlOf(route, neverMade)}?format=${format}`) : [];

/** The marks of an owner that a reply contains. */
const shown = (text: string, owner: Owner) => marks[owner].filter((mark) => text.includes(mark));

/** A reply of settings is one account's, which a key for several has to name. */
const unspecified = ({ status, body }: { status: number; body: Json }) => status === 422 && body.code === "account_required";

// The first, because requests are audited too: after those below, the newest page of the audit log shows little else.
test("every client's list shows something to the partner, so that what is missing below is hidden and not absent", async () => {
  const silent = [];
  for (const { name, route } of COLLECTIONS) {
    const { text } = await world.call("GET", requestsOf(route)[0] ?? "", { key: partner.key });
    if (shown(text, "alder").length === 0 || shown(text, "birch").length === 0) silent.push(name);
  }
  // What can be subscribed to, deployed, set or imported is the same for everybody until a client changes it; a count and a search
  // without words show nothing.
  expect(silent).toEqual([
    "GET /event-types",
    "GET /snapshots",
    "GET /v1/contacts/settings",
    "GET /v1/leads/scoring",
    "GET /v1/imports/fields",
    "GET /v1/conversations/waiting",
    "GET /v1/knowledge-sources/search",
  ]);
});

test("every audit entry about a record names the account that the record is in", async () => {
  const tables = await world.db.sql<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name in ('partner_id', 'id', 'account_id') group by 1 having count(*) = 3`);
  const told = new Set<string>();
  for (const { name } of tables) {
    const entries = await world.db.sql<{ action: string; right: boolean }>(`
      select e.action, e.client_id is not distinct from t.account_id as right
      from audit_entries e join ${name} t on t.partner_id = e.partner_id and t.id = e.target`);
    expect(entries.filter(({ right }) => !right)).toEqual([]);
    for (const { action } of entries) told.add(action);
  }
  expect([...told]).toEqual(expect.arrayContaining(["contacts.create_note", "deals.create", "leads.create_note"]));
});

describe.each(COLLECTIONS)("$name", ({ route }) => {
  test.each([...requestsOf(route), ...exportsOf(route)])(
    "%s shows a key what belongs to its clients, and nothing else",
    async (url) => {
      const all = await world.call("GET", url, { key: partner.key });
      expect(all.status, all.text).toBe(200);
      for (const { name, key, sees } of keys) {
        const reply = await world.call("GET", url, { key });
        if (sees.length !== 1 && unspecified(reply)) continue;
        expect([name, reply.status], reply.text).toEqual([name, 200]);
        for (const owner of OWNERS) {
          if (!sees.includes(owner)) expect([name, owner, shown(reply.text, owner)]).toEqual([name, owner, []]);
          else if (shown(all.text, owner).length > 0)
            expect([name, owner, shown(reply.text, owner)]).not.toEqual([name, owner, []]);
        }
      }
    },
  );
});

const FILTERED = COLLECTIONS.flatMap(({ name, route }) =>
  ["account_id", "client_id"].filter((filter) => filter in parametersOf(route)).map((filter) => ({ name, route, filter })),
).filter(({ route, filter }) => filter === "account_id" || !("account_id" in parametersOf(route)));

describe.each(FILTERED)("$name by $filter", ({ route, filter }) => {
  /** Everything but the cursors, which name the filter. */
  const read = async (url: string, key: string | undefined) => {
    const { status, text, body } = await world.call("GET", url, { key: key ?? "" });
    return { status, text, body: typeof body === "object" ? { ...body, next_cursor: null } : body };
  };

  test.each(requestsOf(route))("%s shows a key of one client the same as the partner sees of that client", async (url) => {
    const whole = await read(`${url}&${filter}=${clients.alder}`, partner.key);
    expect(whole.status, whole.text).toBe(200);
    expect((await read(url, keys[0]?.key)).body).toEqual(whole.body);
  });

  test("answers a key for a client that it is not bound to as for one that never existed", async () => {
    const answerFor = async (id: string) => {
      const { status, text } = await read(`${urlOf(route, neverMade)}?${filter}=${id}`, keys[0]?.key);
      return { status, shown: shown(text, "birch").filter((mark) => mark !== id) };
    };
    expect(await answerFor(clients.birch)).toEqual(await answerFor(neverMade("client")));
  });
});
