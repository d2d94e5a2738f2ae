import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  createDeliveryEngine,
  type DeliveryEngine,
  type DeliveryOptions,
} from "../../src/features/outbox/webhooks/delivery/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createSealer, type Sealer } from "../../src/platform/crypto/seal.ts";
import { createSigner } from "../../src/platform/crypto/sign.ts";
import { withIndexOrder } from "../../src/platform/db/connection.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { createSandboxReader } from "../../src/platform/db/sandbox-reader.ts";
import { createSessionCookie } from "../../src/platform/http/session-cookie.ts";
import { createEgress, type EgressPolicy, type Resolve } from "../../src/platform/net/egress.ts";
import { createHttpSender } from "../../src/platform/net/http-sender.ts";
import { createOutbound } from "../../src/platform/net/outbound.ts";
import type { Services } from "../../src/platform/record/context.ts";
import { createFollower } from "../../src/platform/record/follow.ts";
import { WIRING } from "../../src/wiring.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { type EndpointFields, insertEndpoint, type Publication, publish, type TestEndpoint, type TestEvent } from "./outbox.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import type { TestClock } from "./world.ts";

export type StageOptions = { options?: Partial<DeliveryOptions>; egress?: EgressPolicy; resolve?: Resolve };

/** The delivery engine alone, on a database of its own, with a receiver on this machine and a clock that tests move. */
export type DeliveryStage = {
  db: TestDatabase;
  receiver: Receiver;
  clock: TestClock;
  sealer: Sealer;
  partner_id: string;
  newPartner(): Promise<string>;
  newEndpoint(path: string, fields?: Partial<EndpointFields> & { partner_id?: string }): Promise<TestEndpoint>;
  publish(changes: readonly Omit<TestEvent, "id">[], publication: Publication & { partner_id?: string }): Promise<TestEvent[]>;
  /** Starts an engine, which ends with the test. */
  start(options?: StageOptions): DeliveryEngine;
};

export function useDeliveryStage(): DeliveryStage {
  const stage = {} as DeliveryStage;
  const engines: DeliveryEngine[] = [];
  const databases: Database[] = [];
  beforeAll(async () => {
    Object.assign(stage, await openStage(engines, databases));
    stage.partner_id = await stage.newPartner();
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.stop()));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await stage.receiver.close();
    await stage.db.drop();
  });
  return stage;
}

async function openStage(engines: DeliveryEngine[], databases: Database[]): Promise<Omit<DeliveryStage, "partner_id">> {
  const db = await createTestDatabase();
  const receiver = await startReceiver();
  const sealer = createSealer(randomBytes(32).toString("base64"));
  let shift_ms = 0;
  const clock: TestClock = {
    now: () => new Date(Date.now() + shift_ms),
    advance(duration_ms) {
      shift_ms += duration_ms;
    },
  };
  const stage = { db, receiver, clock, sealer };
  let first_partner = "";
  return {
    ...stage,
    async newPartner() {
      const id = newId("partner", Date.now());
      await db.sql("insert into partners (id, company, created_at, updated_at) values ($1, 'Acme', now(), now())", [id]);
      first_partner ||= id;
      return id;
    },
    newEndpoint: (path, { partner_id = first_partner, ...fields } = {}) =>
      insertEndpoint(db.sql, sealer, partner_id, { url: `${receiver.origin}${path}`, ...fields }),
    publish: (changes, { partner_id = first_partner, ...publication }) =>
      publish(db.sql, partner_id, changes, { now: clock.now(), ...publication }),
    start({ options = {}, egress = "development", resolve } = {}) {
      const database = openDatabase(withIndexOrder(db.service), 6);
      databases.push(database);
      const services: Services = {
        db: database,
        sandbox: createSandboxReader(database, null),
        clock,
        sealer,
        signer: createSigner("x".repeat(32)),
        ...WIRING,
        admitWriter: async () => ({ free: true, narrowed_version: 0 }),
        admitWork: async () => undefined,
        fanOut: () => [],
        settings: {
          brand: "Service",
          egress,
          demo: false,
          smtp: false,
          baseUrl: () => "http://tributary.test",
          cookie: createSessionCookie(() => receiver.origin),
        },
        follower: createFollower(database),
        outbound: createOutbound({ egress, baseUrl: () => "http://tributary.test" }),
        readiness: () => "ready",
      };
      const engine = createDeliveryEngine({
        services,
        db: database,
        sender: createHttpSender(createEgress(egress, resolve)),
        brand: "Service",
        log: pino({ level: process.env.DELIVERY_LOG ?? "silent" }),
        observe: () => undefined,
        options: { poll_ms: 10, renew_ms: 100, ...options },
      });
      engines.push(engine);
      engine.start();
      return engine;
    },
  };
}
