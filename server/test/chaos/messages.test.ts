import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { type Answer, type Received, type Receiver, startReceiver, status } from "../harness/receiver.ts";
import {
  configOf,
  insertChannel,
  insertConversation,
  messageRow,
  outcomesOf,
  queueMessage,
  type TestChannel,
} from "../harness/sending.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import type { Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const KINDS = ["api", "sms", "whatsapp"] as const;
type Kind = (typeof KINDS)[number];

const cluster = useCluster(1, { ROLE: "api", EGRESS: "development" });
const hold = useHolds(() => cluster.db.connect());
let provider: Receiver;
type Gate = { server: Server; origin: string; deaf: boolean; reached: number; cut(): void };
let gate: Gate;
const channels = {} as Record<Kind, TestChannel & { path: string }>;
let worker: ServiceProcess;

/** What stands before the providers: while it is deaf, it takes connections and reads nothing. */
async function openGate(origin: string): Promise<Gate> {
  const sockets = new Set<Socket>();
  const port = Number(new URL(origin).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const opened = { deaf: false, reached: 0, cut } as Gate;
  opened.server = createServer((socket) => {
    opened.reached += 1;
    socket.on("error", () => undefined);
    sockets.add(socket);
    if (opened.deaf) return void socket.pause();
    const behind = connect(port, "127.0.0.1");
    behind.on("error", () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => opened.server.listen(0, "127.0.0.1", resolve));
  opened.origin = `http://127.0.0.1:${(opened.server.address() as AddressInfo).port}`;
  return opened;
}

beforeAll(async () => {
  provider = await startReceiver();
  gate = await openGate(provider.origin);
  const { db, sealer, partner_id } = cluster;
  const [client] = await db.sql<{ id: string }>("select id from clients where partner_id = $1 and status = 'active' limit 1", [
    partner_id,
  ]);
  const account_id = client?.id ?? "";
  for (const kind of KINDS) {
    const { path, config, secrets } = configOf(kind, `${gate.origin}/${kind}`);
    channels[kind] = { ...(await insertChannel(db.sql, sealer, { partner_id, account_id, kind, config, secrets })), path };
  }
});
afterAll(async () => {
  await provider.close();
  gate.cut();
  gate.server.close();
});

/** Answers as each provider does, with an id of its own for each copy. */
const ANSWERS: Record<Kind, (copy: string) => Answer> = {
  api: (id) => status(200, {}, JSON.stringify({ id })),
  sms: (sid) => status(201, {}, JSON.stringify({ sid })),
  whatsapp: (id) => status(200, {}, JSON.stringify({ messages: [{ id }] })),
};

function textIn({ body }: Received): string {
  const text = body.toString();
  if (!text.startsWith("{")) return new URLSearchParams(text).get("Body") ?? "";
  const parsed = JSON.parse(text);
  return typeof parsed.text === "string" ? parsed.text : parsed.text.body;
}

/** The copies of a text that a provider has got. */
const copiesOf = (kind: Kind, text: string) => provider.at(channels[kind].path).filter((one) => textIn(one) === text);

const LOCK_MESSAGE = "select from messages where partner_id = $1 and channel_id = $2 and text = $3 for update";

let copies = 0;

/** All providers answer from now on, once `before` is through. */
function answerAll(before: (kind: Kind, received: Received) => Promise<unknown> = async () => undefined): void {
  for (const kind of KINDS) {
    provider.answer(channels[kind].path, async (response, received, request) => {
      copies += 1;
      const id = `${kind}-${copies}`;
      await before(kind, received);
      ANSWERS[kind](id)(response, received, request);
    });
  }
}

/** A message on each channel, all with the same text. */
async function queueAll(text: string): Promise<Record<Kind, string>> {
  const ids = {} as Record<Kind, string>;
  for (const kind of KINDS) {
    const conversation = await insertConversation(cluster.db.sql, channels[kind]);
    ids[kind] = await queueMessage(cluster.db.sql, conversation, { text });
    const [row] = await cluster.db.sql<{ address: string }>("select address from conversations where id = $1", [conversation.id]);
    // What Twilio lists of this number: each copy that it has got.
    provider.answer(
      `${channels.sms.path}?${new URLSearchParams({ To: row?.address ?? "", PageSize: "50" })}`,
      (response, ...rest) => {
        const messages = copiesOf("sms", text).map(() => ({
          body: text,
          direction: "outbound-api",
          date_created: new Date().toUTCString(),
        }));
        status(200, {}, JSON.stringify({ messages }))(response, ...rest);
      },
    );
  }
  return ids;
}

/** The worker dies, its claims run out and waiting is over, another one comes. */
async function replaceWorker(): Promise<void> {
  await worker.kill();
  answerAll();
  gate.deaf = false;
  await cluster.db.sql("update message_sends set claimed_until = now(), next_at = now() where claimed_by is not null");
  worker = await cluster.start({ ROLE: "worker" });
}

async function untilSent(ids: Record<Kind, string>): Promise<void> {
  await eventually("the claim without anybody to ask to be given up", async () => {
    const [row] = await cluster.db.sql<Json>("select claimed_by from message_sends where message_id = $1", [ids.whatsapp]);
    return row === undefined || row.claimed_by === null ? true : null;
  });
  await cluster.db.sql("update message_sends set next_at = now() where message_id = $1 and claimed_by is null", [ids.whatsapp]);
  for (const kind of KINDS) {
    const row = await eventually(`the message on ${kind} to be sent`, async () => {
      const found = await messageRow(cluster.db.sql, ids[kind]);
      return found.status === "sent" ? found : null;
    });
    expect(row.error).toBeNull();
  }
  expect(await cluster.db.sql("select message_id from message_sends where message_id = any ($1)", [Object.values(ids)])).toEqual(
    [],
  );
}

const isClaimed = async (id: string) =>
  (await cluster.db.sql("select 1 from message_sends where message_id = $1 and claimed_by is not null", [id])).length === 1;

/** Each mark of a message is a change of it: being sent once, and what came of it. */
const changesOf = async (id: string) => (await cluster.db.sql("select 1 from change_feed where subject = $1", [id])).length;

test("kill -9 between any two steps of a send: each message is marked once, sent at least once, and none is lost", async () => {
  answerAll();
  worker = await cluster.start({ ROLE: "worker" });

  // Queued: nobody has looked at it yet.
  await worker.kill();
  const queued = await queueAll("queued");
  worker = await cluster.start({ ROLE: "worker" });
  await untilSent(queued);
  for (const kind of KINDS) expect([kind, copiesOf(kind, "queued").length]).toEqual([kind, 1]);

  // Claimed: the provider has not read a byte.
  gate.deaf = true;
  gate.cut();
  const before = gate.reached;
  const claimed = await queueAll("claimed");
  await eventually("all to be on their way", async () => {
    const all = await Promise.all(Object.values(claimed).map(isClaimed));
    return all.every(Boolean) && gate.reached >= before + KINDS.length ? true : null;
  });
  await replaceWorker();
  await untilSent(claimed);
  for (const kind of KINDS) {
    expect([kind, copiesOf(kind, "claimed").length]).toEqual([kind, 1]);
    expect(await outcomesOf(cluster.db.sql, claimed[kind])).toEqual(["lost", "accepted"]);
    expect(await changesOf(claimed[kind])).toBe(2);
  }

  // Received: the provider has it and does not answer.
  answerAll(() => new Promise(() => undefined));
  const received = await queueAll("received");
  await eventually("all to be received", () => KINDS.every((kind) => copiesOf(kind, "received").length === 1) || null);
  await replaceWorker();
  await untilSent(received);

  // Answered: the outcome cannot be written.
  const held: Awaited<ReturnType<typeof hold>>[] = [];
  answerAll(async (kind, one) => held.push(await hold(LOCK_MESSAGE, [cluster.partner_id, channels[kind].id, textIn(one)])));
  const answered = await queueAll("answered");
  await untilWaiting(cluster.db.sql, ROW_LOCKS, KINDS.length);
  await worker.kill();
  for (const one of held) await one.release();
  await replaceWorker();
  await untilSent(answered);

  // Answered and killed in the same moment.
  let killed = 0;
  answerAll(async () => {
    killed += 1;
    if (killed === KINDS.length) setImmediate(() => void worker.kill());
  });
  const struck = await queueAll("struck");
  await eventually("all to be answered", () => (killed >= KINDS.length ? true : null));
  await replaceWorker();
  await untilSent(struck);

  for (const text of ["received", "answered"]) {
    const ids = { received, answered }[text] as Record<Kind, string>;
    // The same key again, where the provider knows keys; one copy, where it can be asked; a second one, where neither.
    expect(copiesOf("api", text).map(({ headers }) => headers["webhook-id"])).toEqual([ids.api, ids.api]);
    expect(copiesOf("sms", text)).toHaveLength(1);
    expect(copiesOf("whatsapp", text)).toHaveLength(2);
    expect(await outcomesOf(cluster.db.sql, ids.sms)).toEqual(["lost", "confirmed"]);
  }
  expect(copiesOf("sms", "struck")).toHaveLength(1);
  expect(new Set(copiesOf("api", "struck").map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([struck.api]));
});
