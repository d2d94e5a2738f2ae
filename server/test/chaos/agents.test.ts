import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { useCluster } from "../harness/cluster.ts";
import { type Hold, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
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
let playing: Answering;
let thinking: Answering;
let worker: ServiceProcess;

/** An agent, and where it answers. */
type Answering = { agent_id: string; channel: TestChannel };

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
  const targets = { first: { url: `${target.origin}/first` }, second: { url: `${target.origin}/second` } };
  const content = { engine: "playbook", playbook, targets };
  const publish = async (name: string, given: object): Promise<Answering> => {
    const channel = await insertChannel(db.sql, sealer, { partner_id, account_id, kind: "sms", config: {} });
    // Nothing is sent: what the agents say stays in the queue.
    await db.sql("update channels set status = 'paused' where id = $1", [channel.id]);
    const { id: agent_id } = await call("POST", "/agents", { account_id, name, content: given });
    await call("POST", `/agents/${agent_id}/publish`, { version: 1 });
    await call("PUT", `/agents/${agent_id}/channels`, { channel_ids: [channel.id] });
    return { agent_id, channel };
  };
  playing = await publish("Nora", content);
  const llm = {
    ...{ engine: "llm", instructions: "Help.", tools: { add_tag: "approve" } },
    model: { base_url: model.origin, name: "small-1" },
  };
  thinking = await publish("Otto", llm);
  for (const path of ["/first", "/second"]) target.answer(path, answerOf(path));
  worker = await cluster.start({ ROLE: "worker", LOG_LEVEL: "warn" });
});
afterAll(async () => {
  await target.close();
  await model.close();
});

/** A turn, with the conversation and the person that it is of. */
type Turn = { id: string; conversation_id: string; person_id: string };
/** What happens when a turn calls a target, instead of an answer. */
type Point = (path: string, reply: () => void, turn: Turn) => void;
const points = new Map<string, [Point, Turn]>();

function answerOf(path: string): Parameters<Receiver["answer"]>[1] {
  return (response, received, ...rest) => {
    const reply = () => NOON(response, received, ...rest);
    const found = points.get(turnOf(received));
    if (found === undefined) return reply();
    const [point, turn] = found;
    point(path, reply, turn);
  };
}

const turnOf = ({ headers }: Receiver["received"][number]) => String(headers["idempotency-key"]).split(".")[0] ?? "";
/** How often a turn has called each target. */
const callsOf = ({ id }: Turn) =>
  ["/first", "/second"].map((path) => target.at(path).filter((received) => turnOf(received) === id).length);

let people = 0;

/** Somebody who has just written, as it is left for an agent; `point` is where its turn stops. */
async function begin({ agent_id, channel }: Answering, text: string, point: Point | null = null): Promise<Turn> {
  const { db, partner_id, key } = cluster;
  people += 1;
  const contact = { account_id: channel.account_id, name: "Ada", phone: `+49151123456${10 + people}` };
  const { id: person_id } = (await cluster.service(0).call("POST", "/v1/contacts", { key, body: contact })).body;
  const { id: conversation_id } = await insertConversation(db.sql, channel, { person_id });
  const turn = { id: newId("turn", Date.now()), conversation_id, person_id };
  if (point !== null) points.set(turn.id, [point, turn]);
  await db.sql("update conversations set last_ordinal = 1 where id = $1", [conversation_id]);
  await db.sql(
    `insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text, status, status_at, created_at)
     values ($1, $2, $3, $4, $5, 1, 'in', 'text', 'contact', $6, $7, 'received', now(), now())`,
    [partner_id, newId("message", Date.now()), channel.account_id, conversation_id, channel.id, person_id, text],
  );
  await db.sql(
    `insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, run_at, created_at) values ($1, $2, $3, $4, $5, now(), now())`,
    [partner_id, turn.id, channel.account_id, agent_id, conversation_id],
  );
  return turn;
}

/** The claims of a worker that died run out, and another one comes. */
async function replaceWorker(): Promise<void> {
  points.clear();
  await cluster.db.sql("update agent_turns set claimed_until = now() where state = 'running'");
  worker = await cluster.start({ ROLE: "worker", LOG_LEVEL: "warn" });
}

const counted = async (table: string, condition: string, values: unknown[] = []): Promise<number> =>
  (await cluster.db.sql<{ count: number }>(`select count(*)::int as count from ${table} where ${condition}`, values))[0]?.count ??
  -1;

/** The turn is over: one answer, and each effect once. One that has ended otherwise will never be done. */
async function expectOnce({ id, conversation_id, person_id }: Turn, text: string): Promise<void> {
  const done = eventually("the turn to be done", async () => {
    const [turn] = await cluster.db.sql<Json>("select state, error, attempts from agent_turns where id = $1", [id]);
    if (turn?.state === "superseded" || turn?.state === "failed") throw new Error(JSON.stringify([turn, worker.stdout()]));
    return turn?.state === "done" ? true : null;
  });
  const died = worker.ended.then(() => {
    throw new Error(`the worker has ended: ${worker.stdout()}${worker.stderr()}`);
  });
  await Promise.race([done, died]);
  expect(await counted("messages", "conversation_id = $1 and direction = 'out' and kind = 'text'", [conversation_id])).toBe(1);
  expect(await counted("messages", "conversation_id = $1 and text = $2", [conversation_id, text])).toBe(1);
  expect(await counted("agent_turns", "conversation_id = $1", [conversation_id])).toBe(1);
  expect(await counted("deals", "contact_id = $1", [person_id])).toBe(1);
  expect(await counted("record_notes", "record_id = $1", [person_id])).toBe(1);
}

test("kill -9 while targets are asked: one answer, each effect once, and nobody is asked twice whose answer is kept", async () => {
  const silent =
    (at: string): Point =>
    (path, reply) =>
      path === at ? undefined : reply();
  const first = await begin(playing, "Hi", silent("/first"));
  const second = await begin(playing, "Hi", silent("/second"));
  await eventually("both targets to be asked", () => (callsOf(first)[0] === 1 && callsOf(second)[1] === 1 ? true : null));
  // Answered and killed in the same moment.
  const moment = await begin(playing, "Hi", (path, reply) => {
    reply();
    if (path === "/second") setImmediate(() => void worker.kill());
  });
  await worker.ended;
  // Nobody looks at it yet.
  const queued = await begin(playing, "Hi");
  await replaceWorker();
  for (const turn of [first, second, moment, queued]) await expectOnce(turn, "Free: noon.");
  expect([first, second, queued].map(callsOf)).toEqual([
    [2, 1],
    [1, 2],
    [1, 1],
  ]);
  expect(callsOf(moment)[0]).toBe(1);
});

test("kill -9 while something is written: one answer, and each effect once", async () => {
  const holds: Promise<Hold>[] = [];
  /** A row that is locked when the second target answers keeps the turn from going on. */
  const locking =
    (lock: string, keyOf: (turn: Turn) => string): Point =>
    async (path, reply, turn) => {
      if (path === "/second") {
        holds.push(hold(lock, [cluster.partner_id, keyOf(turn)]));
        await holds.at(-1);
      }
      reply();
    };
  const turns = [
    // The journal cannot be written.
    await begin(
      playing,
      "Hi",
      locking("select from agent_turns where partner_id = $1 and id = $2 for update", ({ id }) => id),
    ),
    // The commit waits for the conversation.
    await begin(
      playing,
      "Hi",
      locking("select from conversations where partner_id = $1 and id = $2 for update", ({ conversation_id }) => conversation_id),
    ),
    // In the middle of the commit: the deal is written, the note waits.
    await begin(
      playing,
      "Hi",
      locking("select from contacts where partner_id = $1 and id = $2 for update", ({ person_id }) => person_id),
    ),
  ];
  await untilWaiting(cluster.db.sql, ROW_LOCKS, turns.length);
  await worker.kill();
  for (const held of holds) await (await held).release();
  await replaceWorker();
  for (const turn of turns) await expectOnce(turn, "Free: noon.");
  expect(turns.map((turn) => callsOf(turn)[0])).toEqual([1, 1, 1]);
});

test("kill -9 at every point of a turn with a model: what it has said is not asked again, one answer, and each effect once", async () => {
  const script: Says[] = [
    { calls: [{ name: "create_deal", arguments: { name: "Visit" } }] },
    { calls: [{ name: "add_note", arguments: { text: "Offered" } }] },
    { text: "Come at noon." },
  ];
  const nameOf = (asked: Json) => asked.messages.find(({ role }: Json) => role === "user").content;
  /** Which answer does not come, by the person who asks; of the last one all come, and the commit waits for the contact. */
  let stuck = new Map(["one", "two", "three"].map((name, index) => [name, index + 1]));
  let last: Turn | null = null;
  let held: Hold | null = null;
  model.follow((asked) => {
    const step = asked.messages.filter(({ role }: Json) => role === "assistant").length + 1;
    if (stuck.get(nameOf(asked)) === step) return () => undefined;
    return async (response) => {
      if (nameOf(asked) === "last" && step === 3 && held === null)
        held = await hold("select from contacts where partner_id = $1 and id = $2 for update", [
          cluster.partner_id,
          last?.person_id,
        ]);
      response.end(completion(script[step - 1] ?? {}));
    };
  });
  const askedBy = (name: string) => model.asked.filter((asked) => nameOf(asked) === name).length;
  const turns = new Map<string, Turn>();
  for (const name of stuck.keys()) turns.set(name, await begin(thinking, name));
  await eventually("the model to be asked", () => ([...stuck].every(([name, step]) => askedBy(name) === step) ? true : null));
  last = await begin(thinking, "last");
  turns.set("last", last);
  await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
  await worker.kill();
  await (held as Hold | null)?.release();
  stuck = new Map();
  await replaceWorker();
  for (const turn of turns.values()) await expectOnce(turn, "Come at noon.");
  // Three questions each, and the one that was not answered once more.
  expect([...turns.keys()].map(askedBy)).toEqual([4, 4, 4, 3]);
});

test("kill -9 while something is done that was approved: it is done once", async () => {
  model.follow((asked) =>
    asked.messages.at(-1).role === "user" ? { calls: [{ name: "add_tag", arguments: { tag: "hot" } }] } : { text: "One moment." },
  );
  const { conversation_id, person_id } = await begin(thinking, "Hi");
  const [approval] = await eventually("the approval to be asked for", async () => {
    const rows = await cluster.db.sql<Json>("select id from tool_approvals where conversation_id = $1", [conversation_id]);
    return rows.length > 0 ? rows : null;
  });
  const held = await hold("select from contacts where partner_id = $1 and id = $2 for update", [cluster.partner_id, person_id]);
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
});
