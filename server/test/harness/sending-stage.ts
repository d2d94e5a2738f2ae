import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { netOf } from "../../src/features/inbox/channels/index.ts";
import {
  createSendingEngine,
  type SendingEngine,
  type SendingOptions,
  settleStatus,
} from "../../src/features/inbox/conversations/sending/index.ts";
import { withIndexOrder } from "../../src/platform/db/connection.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createLimiter } from "../../src/platform/limits/limiter.ts";
import { eventually } from "../postgres/processes.ts";
import { type Answer, type Received, type Receiver, startReceiver, status } from "./receiver.ts";
import {
  configOf,
  insertChannel,
  insertConversation,
  messageRow,
  outcomesOf,
  queueMessage,
  type TestChannel,
  type TestConversation,
} from "./sending.ts";
import { type Json, type TestPartner, useWorld, type World } from "./world.ts";

type ChannelFields = { partner?: TestPartner; account_id?: string; per_minute?: number };

/** Engines that send messages to providers on this machine, and a clock that tests move. */
export type SendingStage = {
  world: World;
  provider: Receiver;
  partner: TestPartner;
  account_id: string;
  /** Starts an engine, which ends with the test. */
  start(options?: Partial<SendingOptions>): SendingEngine;
  /** A channel whose provider is the receiver; `path` is where its messages arrive. */
  newChannel(kind: "api" | "sms" | "whatsapp", fields?: ChannelFields): Promise<TestChannel & { path: string }>;
  newConversation(channel: TestChannel, person_id?: string | null): Promise<TestConversation>;
  /** Queues a message and gives its id. */
  queue(conversation: TestConversation, fields?: object): Promise<string>;
  rowOf(id: string): Promise<Json>;
  sendRow(id: string): Promise<Json>;
  outcomes(id: string): Promise<string[]>;
  untilStatus(id: string, wanted: string): Promise<Json>;
  /** The outcomes of so many attempts, once nobody has the message. */
  untilAttempts(id: string, count: number): Promise<string[]>;
  /** A report of the provider of a channel. */
  report(channel: TestChannel, fields: object): Promise<void>;
};

export const textOf = ({ body }: Received): string =>
  body.toString().startsWith("{") ? JSON.parse(body.toString()).text : (new URLSearchParams(body.toString()).get("Body") ?? "");

/** Answers like Twilio. */
export const twilio = (sid: string): Answer => status(201, { "content-type": "application/json" }, JSON.stringify({ sid }));

export function useSendingStage(): SendingStage {
  const world = useWorld({ egress: "development" }, "api");
  const stage = { world } as SendingStage;
  const engines: SendingEngine[] = [];
  const faults: unknown[] = [];
  beforeAll(async () => {
    const partner = await world.newPartner();
    const account_id = (await world.newClient(partner)).id;
    Object.assign(stage, { provider: await startReceiver(), partner, account_id }, actsOf(stage), readsOf(world));
    stage.start = (options) => {
      const engine = startEngine(world, faults, options);
      engines.push(engine);
      return engine;
    };
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.stop()));
    expect(faults).toEqual([]);
  });
  afterAll(() => stage.provider.close());
  return stage;
}

/** With connections of its own, as a worker has them. */
function startEngine(world: World, faults: unknown[], options: Partial<SendingOptions> = {}): SendingEngine {
  const { services } = world.app;
  const db = openDatabase(withIndexOrder(world.db.service), 4);
  const rules = {
    limiter: createLimiter(services.db),
    net: () => netOf(services),
    delayed: (error: unknown) => void faults.push(error),
    options: { poll_ms: 20, ...options },
  };
  const engine = createSendingEngine({ ...services, db }, rules);
  let ended: Promise<void> | null = null;
  engine.start();
  return { ...engine, stop: () => (ended ??= engine.stop().then(() => db.close())) };
}

let paths = 0;

function actsOf(stage: SendingStage): Pick<SendingStage, "newChannel" | "newConversation" | "queue" | "report"> {
  const { db, clock } = stage.world;
  return {
    async newChannel(kind, fields = {}) {
      paths += 1;
      const { path, config, secrets } = configOf(kind, `${stage.provider.origin}/${paths}`);
      const { partner = stage.partner, account_id = stage.account_id, per_minute = 100_000 } = fields;
      const { partner_id } = partner;
      const row = { partner_id, account_id, kind, config, secrets, per_minute };
      return { ...(await insertChannel(db.sql, stage.world.app.services.sealer, row)), path };
    },
    newConversation: (channel, person_id = null) => insertConversation(db.sql, channel, { person_id, now: clock.now() }),
    queue: (conversation, fields = {}) => queueMessage(db.sql, conversation, { now: clock.now(), ...fields }),
    report: (channel, fields) =>
      settleStatus(stage.world.app.services, channel as never, { type: "status", at: clock.now(), ...fields } as never),
  };
}

function readsOf({ db }: World): Pick<SendingStage, "rowOf" | "sendRow" | "outcomes" | "untilStatus" | "untilAttempts"> {
  const rowOf = (id: string) => messageRow(db.sql, id);
  const outcomes = (id: string) => outcomesOf(db.sql, id);
  const sendRow = async (id: string): Promise<Json> =>
    (await db.sql("select * from message_sends where message_id = $1", [id]))[0] ?? null;
  return {
    rowOf,
    sendRow,
    outcomes,
    untilStatus: (id, wanted) =>
      eventually(`the message to be ${wanted}`, async () => {
        const row = await rowOf(id);
        return row.status === wanted ? row : null;
      }),
    untilAttempts: (id, count) =>
      eventually(`${count} attempts`, async () => {
        const made = await outcomes(id);
        const row = await sendRow(id);
        return made.length === count && (row === null || row.claimed_by === null) ? made : null;
      }),
  };
}
