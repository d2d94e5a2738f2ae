import { beforeAll, expect, test } from "vitest";
import { newPerson, type Person } from "../harness/people.ts";
import { ADMIN, BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");

/** A name that would break text that is put together carelessly. */
const NAME = String.raw`Nóra "\1\\ Lindqvist" },"action":"x`;
const NEW_NAME = "Nora Ek";

let partner: TestPartner;
let owner: Person;
let nora: Person;
let client: Json;
let contact: Json;
let deal: Json;

/** Nora has changed a client and a contact, written a note, and moved a deal. */
beforeAll(async () => {
  partner = await world.newPartner();
  [owner, nora] = [await newPerson(world, partner), await newPerson(world, partner, { role: "member" })];
  await rename(NAME);
  client = await world.newClient(partner);
  contact = await world.newContact(partner, { account_id: client.id });
  deal = (await by(nora, "POST", `${GENERAL}/deals`, { name: "Seats", account_id: client.id })).body;
  await by(nora, "PATCH", `${BASE}/clients/${client.id}`, { plan: "Growth" });
  await by(nora, "POST", `${GENERAL}/contacts/${contact.id}/notes`, { body: "Called." });
});

async function by(person: Person, method: string, path: string, body?: object) {
  const reply = await person.call(method, path, body === undefined ? {} : { body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
}

const rename = (name: string) => by(owner, "PATCH", `${BASE}/users/${nora.user_id}`, { name });
const rows = async (path: string): Promise<Json[]> => (await by(owner, "GET", path)).body.data;

/** What each place shows as the name of who has acted there. */
async function namesShown(): Promise<Record<string, string | null>> {
  const ofNora = `${BASE}/audit-log?actor_id=${nora.user_id}`;
  const [entry] = await rows(ofNora);
  const exported = await by(owner, "GET", `${ofNora}&format=ndjson`);
  const { data } = (await rows(`${BASE}/clients/${client.id}/activity`)).find(({ name }) => name === "clients.update");
  return {
    "audit log": entry.actor.name,
    "audit entry": (await by(owner, "GET", `${BASE}/audit-log/${entry.id}`)).body.actor.name,
    "audit export": JSON.parse(String(exported.body).split("\n")[0] ?? "").actor.name,
    timeline: (await rows(`${GENERAL}/contacts/${contact.id}/timeline`))[0].actor.name,
    notes: (await rows(`${GENERAL}/contacts/${contact.id}/notes`))[0].author_name,
    "activity of a client": data.actor.name,
    "history of a deal": (await rows(`${BASE}/deals/${deal.id}/history`))[0].moved_by_name,
    "stage history": (await rows(`${GENERAL}/deals/stage-history`))[0].moved_by_name,
  };
}

const everywhere = (name: string | null) => ({
  "audit log": name,
  "audit entry": name,
  "audit export": name,
  timeline: name,
  notes: name,
  "activity of a client": name,
  "history of a deal": name,
  "stage history": name,
});

test("who did it is shown by the name of now: a renamed user by the new one, a removed one by none", async () => {
  expect(await namesShown()).toEqual(everywhere(NAME));
  const csv = await by(owner, "GET", `${BASE}/audit-log?actor_id=${nora.user_id}&format=csv`);
  expect(String(csv.body)).toContain(`"${NAME.replaceAll('"', '""')}"`);
  await rename(NEW_NAME);
  expect(await namesShown()).toEqual(everywhere(NEW_NAME));
  expect(await world.db.sql("select from audit_entries where convert_from(body, 'UTF8') like '%Lindqvist%'")).toHaveLength(0);
  await by(owner, "DELETE", `${BASE}/users/${nora.user_id}`);
  expect(await namesShown()).toEqual(everywhere(null));
});

test("a key is shown by its name, also after it was revoked, and the service itself by none", async () => {
  const { body: key } = await by(owner, "POST", `${BASE}/keys`, { name: "Sync", scopes: ["clients:write"], clients: "all" });
  await world.call("PATCH", `${BASE}/clients/${client.id}`, { key: key.api_key, body: { plan: "Scale" } });
  await by(owner, "DELETE", `${BASE}/keys/${key.id}`);
  const [entry] = await rows(`${BASE}/audit-log?actor_id=${key.id}`);
  expect(entry.actor).toEqual({ type: "key", id: key.id, name: "Sync" });
  const [system] = await rows(`${BASE}/audit-log?actor_id=system`);
  expect(system.actor).toEqual({ type: "system", id: "system", name: null });
});

test("the operator sees everybody by name; a partner does not see the names of the operator", async () => {
  const operator = await newPerson(world, null);
  await by(operator, "PATCH", `${ADMIN}/partners/${partner.partner_id}`, { company: "Renamed" });
  const [name] = await world.db.sql<{ name: string }>("select name from users where id = $1", [operator.user_id]);
  const filter = `audit-log?actor_id=${operator.user_id}&action=partners.update`;
  const actor = { type: "operator", id: operator.user_id };
  const { body } = await by(operator, "GET", `${ADMIN}/${filter}`);
  expect(body.data.map((entry: Json) => entry.actor)).toContainEqual({ ...actor, name: name?.name });
  expect((await rows(`${BASE}/${filter}`)).map((entry) => entry.actor)).toEqual([{ ...actor, name: null }]);
  const { body: all } = await by(operator, "GET", `${ADMIN}/audit-log?actor_id=${owner.user_id}`);
  expect(all.data[0].actor.name).toMatch(/^Ines/);
});
