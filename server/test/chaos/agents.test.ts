import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { useCluster } from "../harness/cluster.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { completion, type ModelServer, type Says, startModelServer } from "../harness/model-server.ts";
import { type Receiver, startReceiver, status } from "../harness/receiver.ts";
import { insertChannel, insertConversation, type TestChannel } from "../harness/sending.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import type { Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const cluster = useCluster(1, { ROLE: "api", EGRESS: "development" });
const hold = useHolds(() => cluster.db.connect());
let target: Receiver;
let model: ModelServer;
let model_agent_id: string;
let channel: TestChannel;
let agent_id: string;
let model_channel: TestChannel;
let contact_id: string;
let worker: ServiceProcess;

const NOON = status(200, { "content-type": "application/json" }, JSON.stringify({ first: "noon" }));
const playbook = {
  start: "a",
  states: {
    a: {
      do: [
        { tool: "create_deal", args: { name: "{{vars.none|Visit}}" } },
        { tool: "http_request", args: { name: "first" } },
        { tool: "add_note", args: { text: "Offered {{result.http_request.body.first}}" } },
        { tool: "http_request", args: { name: "second" } },
      ],
      go: "b",
    },
    b: { say: "Free: {{result.http_request.body.first}}.", go: "@end" },
  },
};

beforeAll(async () => {
  [target, model] = [await startReceiver(), await startModelServer()];
  const { db, sealer, partner_id, key } = cluster;
  const call = async (method: string, path: string, body: object): Promise<Json> =>
    (await cluster.service(0).call(method, `/v1${path}`, { key, body })).body;
  const [client] = await db.sql<{ id: string }>("select id from clients where partner_id = $1 and status = 'active' limit 1", [
    partner_id,
  ]);
  const account_id = client?.id ?? "";
  channel = await insertChannel(db.sql, sealer, { partner_id, account_id, kind: "sms", config: {} });
  model_channel = await insertChannel(db.sql, sealer, { partner_id, account_id, kind: "sms", config: {} });
  // Nothing is sent: what the agents say stays in the queue.
  await db.sql("update channels set status = 'paused' where id = any ($1)", [[channel.id, model_channel.id]]);
  const targets = { first: { url: `${target.origin}/first` }, second: { url: `${target.origin}/second` } };
  const content = { engine: "playbook", playbook, targets };
  const publish = async (name: string, given: object, on: TestChannel): Promise<string> => {
    const { id } = await call("POST", "/agents", { account_id, name, content: given });
    await call("POST", `/agents/${id}/publish`, { version: 1 });
    await call("PUT", `/agents/${id}/channels`, { channel_ids: [on.id] });
    return id;
  };
  agent_id = await publish("Nora", content, channel);
  const llm = {
    ...{ engine: "llm", instructions: "Help.", tools: { add_tag: "approve" } },
    model: { base_url: model.origin, name: "small-1" },
  };
  model_agent_id = await publish("Otto", llm, model_channel);
  ({ id: contact_id } = await call("POST", "/contacts", { account_id, name: "Ada", phone: "+4915112345678" }));
});
afterAll(async () => {
  await target.close();
  await model.close();
});

/** A conversation whose person has just written, as it is left for the agent. */
async function begin(on = channel, agent = agent_id, person_id = contact_id): Promise<string> {
  const { db, partner_id } = cluster;
  const { id } = await insertConversation(db.sql, on, { person_id });
  await db.sql("update conversations set last_ordinal = 1 where id = $1", [id]);
  await db.sql(
    `insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text, status, status_at, created_at)
     values ($1, $2, $3, $4, $5, 1, 'in', 'text', 'contact', $6, 'Hi', 'received', now(), now())`,
    [partner_id, newId("message", Date.now()), on.account_id, id, on.id, person_id],
  );
  await db.sql(
    `insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, run_at, created_at) values ($1, $2, $3, $4, $5, now(), now())`,
    [partner_id, newId("turn", Date.now()), on.account_id, agent, id],
  );
  return id;
}

/** The worker dies, its claim runs out, another one comes. */
async function replaceWorker(): Promise<void> {
  await worker.kill();
  for (const path of ["/first", "/second"]) target.answer(path, NOON);
  await cluster.db.sql("update agent_turns set claimed_until = now() where state = 'running'");
  worker = await cluster.start({ ROLE: "worker" });
}

const counted = async (table: string, condition: string, values: unknown[] = []): Promise<number> =>
  (await cluster.db.sql<{ count: number }>(`select count(*)::int as count from ${table} where ${condition}`, values))[0]?.count ??
  -1;

let conversations = 0;

/** The turn is over: one answer, and each effect once. */
async function expectOnce(id: string): Promise<void> {
  conversations += 1;
  await eventually("the turn to be done", async () =>
    (await counted("agent_turns", "conversation_id = $1 and state = 'done'", [id])) === 1 ? true : null,
  );
  expect(
    await counted("messages", "conversation_id = $1 and direction = 'out' and kind = 'text' and text = 'Free: noon.'", [id]),
  ).toBe(1);
  expect(await counted("agent_turns", "conversation_id = $1", [id])).toBe(1);
  expect(await counted("deals", "contact_id = $1", [contact_id])).toBe(conversations);
  expect(await counted("record_notes", "record_id = $1", [contact_id])).toBe(conversations);
  const keys = ["/first", "/second"].map(
    (path) => new Set(target.at(path).map(({ headers }) => headers["idempotency-key"])).size,
  );
  expect(keys).toEqual([conversations, conversations]);
}

/** Kills the worker where a row that is locked when the second target answers keeps it from going on. */
async function killWhileLocked(lock: string, keyOf: (conversation_id: string) => string): Promise<void> {
  let held = null as Awaited<ReturnType<typeof hold>> | null;
  let id = "";
  target.answer("/second", async (response, ...rest) => {
    held = await hold(lock, [keyOf(id)]);
    NOON(response, ...rest);
  });
  id = await begin();
  await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
  await worker.kill();
  await held?.release();
  await replaceWorker();
  await expectOnce(id);
}

test("kill -9 at every point of a turn: one answer, and each effect once", async () => {
  for (const path of ["/first", "/second"]) target.answer(path, NOON);
  worker = await cluster.start({ ROLE: "worker" });

  // Queued: nobody has looked at it yet.
  await worker.kill();
  const queued = await begin();
  worker = await cluster.start({ ROLE: "worker" });
  await expectOnce(queued);

  // Claimed: the first target has the request and does not answer; then the second, after the first is in the journal.
  for (const path of ["/first", "/second"]) {
    target.answer(path, () => undefined);
    const before = target.at(path).length;
    const claimed = await begin();
    await eventually("the target to be asked", () => (target.at(path).length > before ? true : null));
    await replaceWorker();
    await expectOnce(claimed);
  }
  // The first target was asked again only where its answer was not yet kept.
  expect([target.at("/first").length, target.at("/second").length]).toEqual([4, 4]);

  // Answered: the journal cannot be written.
  await killWhileLocked("select from agent_turns where conversation_id = $1 for update", (id) => id);
  // Run: the commit waits for the conversation.
  await killWhileLocked("select from conversations where id = $1 for update", (id) => id);
  // In the middle of the commit: the deal is written, the note waits.
  await killWhileLocked("select from contacts where id = $1 for update", () => contact_id);

  // Answered and killed in the same moment.
  target.answer("/second", (response, ...rest) => {
    NOON(response, ...rest);
    setImmediate(() => void worker.kill());
  });
  const before = target.at("/second").length;
  const id = await begin();
  await eventually("the target to be asked", () => (target.at("/second").length > before ? true : null));
  await replaceWorker();
  await expectOnce(id);
  await worker.kill();
});

/** A contact of its own, so that what is counted is of one test. */
async function newPerson(phone: string): Promise<string> {
  const body = { account_id: channel.account_id, name: "Eve", phone };
  return (await cluster.service(0).call("POST", "/v1/contacts", { key: cluster.key, body })).body.id;
}

test("kill -9 at every point of a turn with a model: what it has said is not asked again, one answer, and each effect once", async () => {
  const person_id = await newPerson("+4915112345679");
  const script: Says[] = [
    { calls: [{ name: "create_deal", arguments: { name: "Visit" } }] },
    { calls: [{ name: "add_note", arguments: { text: "Offered" } }] },
    { text: "Come at noon." },
  ];
  /** Which answer of the model does not come, and what was asked. */
  let stuck = 0;
  model.follow((asked) => {
    const step = asked.messages.filter(({ role }: Json) => role === "assistant").length + 1;
    return step === stuck ? () => undefined : (response) => void response.end(completion(script[step - 1] ?? {}));
  });
  worker = await cluster.start({ ROLE: "worker" });
  const outcomes = [];
  for (stuck of [1, 2, 3]) {
    const before = model.asked.length;
    const id = await begin(model_channel, model_agent_id, person_id);
    const killed_at = stuck;
    await eventually("the model to be asked", () => (model.asked.length === before + killed_at ? true : null));
    stuck = 0;
    await replaceWorker();
    await eventually("the turn to be done", async () =>
      (await counted("agent_turns", "conversation_id = $1 and state = 'done'", [id])) === 1 ? true : null,
    );
    outcomes.push([
      model.asked.length - before,
      await counted("messages", "conversation_id = $1 and text = 'Come at noon.'", [id]),
    ]);
  }
  // Three questions each, and the one that was not answered once more.
  expect(outcomes).toEqual([
    [4, 1],
    [4, 1],
    [4, 1],
  ]);
  // All is said: the commit waits for the contact.
  let held = null as Awaited<ReturnType<typeof hold>> | null;
  model.follow((asked) => {
    const step = asked.messages.filter(({ role }: Json) => role === "assistant").length;
    return async (response) => {
      if (step === 2) held = await hold("select from contacts where id = $1 for update", [person_id]);
      response.end(completion(script[step] ?? {}));
    };
  });
  const id = await begin(model_channel, model_agent_id, person_id);
  await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
  await worker.kill();
  await held?.release();
  await replaceWorker();
  await eventually("the turn to be done", async () =>
    (await counted("agent_turns", "conversation_id = $1 and state = 'done'", [id])) === 1 ? true : null,
  );
  expect(model.asked).toHaveLength(3);
  expect(await counted("deals", "contact_id = $1", [person_id])).toBe(4);
  expect(await counted("record_notes", "record_id = $1", [person_id])).toBe(4);
  await worker.kill();
});

test("kill -9 while something is done that was approved: it is done once", async () => {
  const person_id = await newPerson("+4915112345680");
  model.follow((asked) =>
    asked.messages.at(-1).role === "user" ? { calls: [{ name: "add_tag", arguments: { tag: "hot" } }] } : { text: "One moment." },
  );
  worker = await cluster.start({ ROLE: "worker" });
  const id = await begin(model_channel, model_agent_id, person_id);
  const [approval] = await eventually("the approval to be asked for", async () => {
    const rows = await cluster.db.sql<Json>("select id from tool_approvals where conversation_id = $1", [id]);
    return rows.length > 0 ? rows : null;
  });
  const held = await hold("select from contacts where id = $1 for update", [person_id]);
  const approve = () => cluster.service(0).call("POST", `/v1/approvals/${approval?.id}/approve`, { key: cluster.key, body: {} });
  const replies = await Promise.all([approve(), approve()]);
  expect(replies.map(({ status: code }) => code).toSorted()).toEqual([200, 409]);
  await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
  await worker.kill();
  await held.release();
  await replaceWorker();
  await eventually("it to be done", async () =>
    (await counted("tool_approvals", "id = $1 and executed_at is not null", [approval?.id])) === 1 ? true : null,
  );
  expect(await counted("contacts", "id = $1 and tags = array['hot'] and version = 2", [person_id])).toBe(1);
  expect(await counted("agent_turns", "approval_id = $1", [approval?.id])).toBe(1);
  await worker.kill();
});
