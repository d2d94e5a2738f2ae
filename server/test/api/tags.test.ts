import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});

const call = (method: string, path: string, body?: object, key = partner.key, headers = {}) =>
  world.call(method, `/v1${path}`, { key, body, headers });
const codeOf = ({ status, body }: Json) => [status, body.code];
const faultsOf = ({ body }: Json) => body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);

describe("a tag", () => {
  const create = (fields: object, account = account_id) => call("POST", "/tags", { account_id: account, ...fields });

  test("is created, read, changed and deleted; records keep its name", async () => {
    const { status, body: tag } = await create({ name: "VIP", description: "Answers within an hour" });
    expect([status, tag]).toMatchObject([201, { account_id, name: "VIP", description: "Answers within an hour", version: 1 }]);
    const contact = await world.newContact(partner, { account_id, tags: ["VIP", "another"] });
    const renamed = await call("PATCH", `/tags/${tag.id}`, { name: "Gold", description: null }, partner.key, {
      "if-match": '"1"',
    });
    expect(renamed.body).toMatchObject({ name: "Gold", description: null, version: 2 });
    expect((await call("PATCH", `/tags/${tag.id}`, { name: "Gold" })).body.version).toBe(2);
    const stale = await call("PATCH", `/tags/${tag.id}`, { name: "X" }, partner.key, { "if-match": '"1"' });
    expect(codeOf(stale)).toEqual([412, "version_mismatch"]);
    expect((await call("GET", `/tags/${tag.id}`)).body).toEqual(renamed.body);
    expect((await call("DELETE", `/tags/${tag.id}`)).status).toBe(204);
    expect(codeOf(await call("GET", `/tags/${tag.id}`))).toEqual([404, "not_found"]);
    expect((await call("GET", `/contacts/${contact.id}`)).body.tags).toEqual(["VIP", "another"]);
    const entries = await auditLog(world, partner.key, { target: tag.id });
    expect(entries.map(({ action }: Json) => action)).toEqual(["tags.create", "tags.update", "tags.delete"]);
  });

  test("has a name of its own in its account, whatever its case", async () => {
    const { body: tag } = await create({ name: "Äther" });
    const again = await create({ name: "äTHER" });
    expect([...codeOf(again), again.body.existing_id]).toEqual([409, "duplicate_tag", tag.id]);
    const { body: other } = await create({ name: "Ether" });
    expect(codeOf(await call("PATCH", `/tags/${other.id}`, { name: "ÄTHER" }))).toEqual([409, "duplicate_tag"]);
    expect((await call("PATCH", `/tags/${tag.id}`, { name: "ÄTHER" })).status).toBe(200);
    expect((await create({ name: "Äther" }, (await world.newClient(partner)).id)).status).toBe(201);
    const attempts = await Promise.all(Array.from({ length: 5 }, () => create({ name: "Once" })));
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test("is listed by name within its account", async () => {
    const { id } = await world.newClient(partner);
    for (const name of ["delta", "Alpha", "charlie", "Bravo"]) await create({ name }, id);
    const listed = await walk(world, partner.key, "/v1/tags", { account_id: id, limit: "2" });
    expect(listed.map(({ name }: Json) => name)).toEqual(["Alpha", "Bravo", "charlie", "delta"]);
    const everywhere = await walk(world, partner.key, "/v1/tags", { limit: "2" });
    expect(everywhere.length).toBeGreaterThan(4);
    // Ids are in the order of creation.
    const ids = everywhere.map((tag: Json) => tag.id);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  test("is one of 500 at most, however many requests come at once", async () => {
    const { id } = await world.newClient(partner);
    await world.db.sql(
      `insert into account_tags (partner_id, id, account_id, name, created_at, updated_at)
       select $1, 'tag_' || lpad(n::text, 26, '0'), $2, 'tag ' || n, now(), now() from generate_series(1, 498) n`,
      [partner.partner_id, id],
    );
    const replies = await Promise.all([1, 2, 3, 4].map((turn) => create({ name: `more ${turn}` }, id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
  });

  test("is out of reach of a key for another client, and stays as it is in a suspended account", async () => {
    const { id } = await world.newClient(partner);
    const { body: tag } = await create({ name: "Still" }, id);
    const key = await world.newKey(partner, { clients: [account_id] });
    for (const method of ["GET", "PATCH", "DELETE"])
      expect(codeOf(await call(method, `/tags/${tag.id}`, method === "PATCH" ? { name: "X" } : undefined, key))).toEqual([
        404,
        "not_found",
      ]);
    expect((await call("GET", `/tags?account_id=${id}`, undefined, key)).body.data).toEqual([]);
    await world.call("POST", `${BASE}/clients/${id}/suspend`, { key: partner.key, body: {} });
    expect(codeOf(await create({ name: "New" }, id))).toEqual([409, "client_inactive"]);
    expect(codeOf(await call("DELETE", `/tags/${tag.id}`))).toEqual([409, "client_inactive"]);
    expect((await call("GET", `/tags/${tag.id}`)).body.name).toBe("Still");
  });
});

describe("a message template", () => {
  const create = (fields: object, account = account_id) =>
    call("POST", "/message-templates", { account_id: account, text: "Hello", ...fields });
  const change = (id: string, patch: object) => call("PATCH", `/message-templates/${id}`, patch);

  test("is created with placeholders, changed, archived and restored", async () => {
    const { id } = await world.newClient(partner);
    await call("POST", "/custom-fields", { account_id: id, resource: "contact", key: "size", type: "text" });
    const words = { subject: "For {{contact.name}}", text: "Dear {{ contact.name }}, size {{contact.custom.size}}?\nBye" };
    const { status, body } = await create({ name: "Welcome", channel: "email", ...words }, id);
    expect([status, body]).toMatchObject([201, { name: "Welcome", channel: "email", ...words, archived: false, version: 1 }]);
    const plain = (await create({ name: "Plain" }, id)).body;
    expect(plain).toMatchObject({ channel: "any", subject: null });
    expect((await change(body.id, { text: "Hi" })).body).toMatchObject({ text: "Hi", version: 2 });
    expect((await call("DELETE", `/message-templates/${body.id}`)).status).toBe(204);
    const names = async (query: string) =>
      (
        await walk(world, partner.key, "/v1/message-templates", {
          account_id: id,
          ...Object.fromEntries(new URLSearchParams(query)),
        })
      ).map(({ name }: Json) => name);
    expect([await names(""), await names("archived=true"), await names("channel=email")]).toEqual([["Plain"], ["Welcome"], []]);
    expect((await create({ name: "WELCOME" }, id)).status).toBe(201);
    expect(codeOf(await change(body.id, { archived: false }))).toEqual([409, "duplicate_message_template"]);
    expect((await change(body.id, { archived: false, name: "Welcome back" })).body).toMatchObject({
      archived: false,
      version: 4,
    });
    const entries = await auditLog(world, partner.key, { target: body.id });
    expect(entries.map(({ action }: Json) => action)).toEqual([
      "message_templates.create",
      ...Array(3).fill("message_templates.update"),
    ]);
  });

  test("is one of 500 at most that are not archived", async () => {
    const { id } = await world.newClient(partner);
    const archived = (await create({ name: "Archived" }, id)).body;
    expect((await call("DELETE", `/message-templates/${archived.id}`)).status).toBe(204);
    await world.db.sql(
      `insert into message_templates (partner_id, id, account_id, name, channel, text, created_at, updated_at)
       select $1, 'tpl_' || n, $2, 'Template ' || n, 'any', 'Hello', $3, $3 from generate_series(1, 499) n`,
      [partner.partner_id, id, world.clock.now()],
    );
    expect((await create({ name: "The last" }, id)).status).toBe(201);
    expect((await create({ name: "One more" }, id)).body.detail).toContain("at most 500 templates");
    expect((await change(archived.id, { archived: false })).body.detail).toContain("at most 500 templates");
  });

  test("names each unknown placeholder and those that there are", async () => {
    const text = "{{contact.name}} {{contact.shoe}} {{contact.custom.nothing}} {{contact.name";
    const refused = await create({ name: "Wrong", channel: "email", subject: "{{Contact.Name}}", text });
    expect([refused.status, ...faultsOf(refused)]).toEqual([
      422,
      "#/subject unknown_placeholder",
      ...Array(3).fill("#/text unknown_placeholder"),
    ]);
    expect(refused.body.errors[1].detail).toBe(
      "{{contact.shoe}} is not a placeholder. The placeholders are {{contact.name}}, {{contact.first_name}}, {{contact.phone}}, {{contact.email}}, {{contact.company}}, {{account.name}}, {{deal.name}}, {{deal.stage}}, {{deal.amount}}, {{link.url}}, {{link.amount}}, {{link.due_on}}, {{vars.<name>}}.",
    );
  });

  test("keeps the placeholder of a field that was archived, until its words change", async () => {
    const { id } = await world.newClient(partner);
    const field = await call("POST", "/custom-fields", { account_id: id, resource: "contact", key: "size", type: "text" });
    const { body } = await create({ name: "Size", text: "{{contact.custom.size}}" }, id);
    await call("DELETE", `/custom-fields/${field.body.id}`);
    expect((await change(body.id, { name: "Sizes" })).status).toBe(200);
    expect(faultsOf(await change(body.id, { text: "Your {{contact.custom.size}}" }))).toEqual(["#/text unknown_placeholder"]);
  });

  test("has a subject where the channel has one", async () => {
    for (const channel of ["email", "any"]) expect((await create({ name: channel, channel, subject: "S" })).status).toBe(201);
    for (const channel of ["sms", "whatsapp", "webchat"])
      expect(faultsOf(await create({ name: channel, channel, subject: "S" }))).toEqual(["#/subject not_of_channel"]);
    const { body } = await create({ name: "Turned", channel: "email", subject: "S" });
    expect(faultsOf(await change(body.id, { channel: "sms" }))).toEqual(["#/subject not_of_channel"]);
    expect((await change(body.id, { channel: "sms", subject: null })).status).toBe(200);
  });

  test("has a name of its own among those in use, and up to 10,000 characters", async () => {
    const first = await create({ name: "Twice", text: "x".repeat(10_000) });
    expect(first.status).toBe(201);
    const again = await create({ name: "tWICE" });
    expect([...codeOf(again), again.body.existing_id]).toEqual([409, "duplicate_message_template", first.body.id]);
    expect((await create({ name: "Long", text: "x".repeat(10_001) })).status).toBe(422);
  });

  test("is one of 500 in use at most: archived ones do not count, and restored ones do", async () => {
    const { id } = await world.newClient(partner);
    await world.db.sql(
      `insert into message_templates (partner_id, id, account_id, name, channel, text, archived, created_at, updated_at)
       select $1, 'tpl_' || lpad(n::text, 26, '0'), $2, 't ' || n, 'any', 'x', n > 499, now(), now() from generate_series(1, 502) n`,
      [partner.partner_id, id],
    );
    const restored = [500, 501, 502].map((n) => change(`tpl_${String(n).padStart(26, "0")}`, { archived: false }));
    const replies = await Promise.all([...restored, create({ name: "More" }, id)]);
    expect(
      replies
        .map(({ status }) => status)
        .sort((a, b) => a - b)
        .slice(1),
    ).toEqual([422, 422, 422]);
  });

  test("needs the scopes of conversations, and an account that takes changes", async () => {
    const key = await world.newKey(partner, { scopes: ["contacts:write", "conversations:read"] });
    const reply = await call("POST", "/message-templates", { name: "A", text: "B" }, key);
    expect([...codeOf(reply), reply.body.required_scope]).toEqual([403, "insufficient_scope", "conversations:write"]);
    const { id } = await world.newClient(partner);
    const { body } = await create({ name: "Still" }, id);
    await world.call("POST", `${BASE}/clients/${id}/suspend`, { key: partner.key, body: {} });
    expect(codeOf(await change(body.id, { archived: true }))).toEqual([409, "client_inactive"]);
  });
});
