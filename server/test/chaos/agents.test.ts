import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { useCluster } from "../harness/cluster.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { type Receiver, startReceiver, status } from "../harness/receiver.ts";
import { insertChannel, insertConversation, type TestChannel } from "../harness/sending.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import type { Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const cluster = useCluster(1, { ROLE: "api", EGRESS: "development" });
const hold = useHolds(() => cluster.db.connect());
let target: Receiver;
let channel: TestChannel;
let agent_id: string;
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
  target = await startReceiver();
  const { db, sealer, partner_id, key } = cluster;
  const call = async (method: string, path: string, body: object): Promise<Json> =>
    (await cluster.service(0).call(method, `/v1${path}`, { key, body })).body;
  const [client] = await db.sql<{ id: string }>("select id from clients where partner_id = $1 and status = 'active' limit 1", [
    partner_id,
  ]);
  const account_id = client?.id ?? "";
  channel = await insertChannel(db.sql, sealer, { partner_id, account_id, kind: "sms", config: {} });
  // Nothing is sent: what the agent says stays in the queue.
  await db.sql("update channels set status = 'paused' where id = $1", [channel.id]);
  const targets = { first: { url: `${target.origin}/first` }, second: { url: `${target.origin}/second` } };
  const content = { engine: "playbook", playbook, targets };
  ({ id: agent_id } = await call("POST", "/agents", { account_id, name: "Nora", content }));
  await call("POST", `/agents/${agent_id}/publish`, { version: 1 });
  await call("PUT", `/agents/${agent_id}/channels`, { channel_ids: [channel.id] });
  ({ id: contact_id } = await call("POST", "/contacts", { account_id, name: "Ada", phone: "+4915112345678" }));
});
afterAll(() => target.close());

/** A conversation whose person has just written, as it is left for the agent. */
async function begin(): Promise<string> {
  const { db, partner_id } = cluster;
  const { id } = await insertConversation(db.sql, channel, { person_id: contact_id });
  await db.sql("update conversations set last_ordinal = 1 where id = $1", [id]);
  await db.sql(
    `insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text, status, status_at, created_at)
     values ($1, $2, $3, $4, $5, 1, 'in', 'text', 'contact', $6, 'Hi', 'received', now(), now())`,
    [partner_id, newId("message", Date.now()), channel.account_id, id, channel.id, contact_id],
  );
  await db.sql(
    `insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, run_at, created_at) values ($1, $2, $3, $4, $5, now(), now())`,
    [partner_id, newId("turn", Date.now()), channel.account_id, agent_id, id],
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
});
