import { setTimeout as sleep } from "node:timers/promises";
import { createTurnWorker } from "./features/agents/sessions/index.ts";
import { createTestWorker } from "./features/agents/suites/index.ts";
import { createImportWorker } from "./features/crm/imports/index.ts";
import { createMailboxReader, netOf } from "./features/inbox/channels/index.ts";
import { createSendingEngine, receive, type SendingEngine } from "./features/inbox/conversations/index.ts";
import { createPayoutWorker } from "./features/money/payouts/index.ts";
import { createDeliveryEngine, type DeliveryEngine, type DeliveryOptions, runReplays } from "./features/outbox/webhooks/index.ts";
import { createRolloutWorker } from "./features/snapshots/rollouts/index.ts";
import { type Connection, withIndexOrder } from "./platform/db/connection.ts";
import { type Database, openDatabase } from "./platform/db/database.ts";
import { maintenanceJobs } from "./platform/jobs/maintenance.ts";
import { createWorker, type Worker } from "./platform/jobs/worker.ts";
import { createLimiter } from "./platform/limits/limiter.ts";
import { type Compose, createMailer } from "./platform/mail/mailer.ts";
import { createMailSender, type MailOptions } from "./platform/mail/smtp.ts";
import { createEgress, type Resolve } from "./platform/net/egress.ts";
import { createHttpSender } from "./platform/net/http-sender.ts";
import type { Logger } from "./platform/observe/log.ts";
import type { Metrics } from "./platform/observe/metrics.ts";
import type { Services } from "./platform/record/context.ts";
import { sequenceAll } from "./platform/record/sequencer.ts";
import type { Step } from "./platform/shutdown.ts";
import { FEATURES } from "./surfaces/features.ts";

const SEQUENCE_EVERY_MS = 500;
const DELIVERY_CONNECTIONS_MAX = 6;
const SENDING_CONNECTIONS_MAX = 4;
const ROLLOUT_CONNECTIONS_MAX = 2;

export type BackgroundOptions = {
  connection: Connection;
  log: Logger;
  /** For scheduled jobs: the login that owns the tables, and the time of daily maintenance. Default: no jobs. */
  jobs?: { owner: Connection; maintenance_at: string };
  /** How e-mail is sent. Default: none is. */
  mail?: MailOptions | undefined;
  /** For tests: other timings of webhook deliveries, and another name resolver. */
  deliveries?: { options?: Partial<DeliveryOptions>; resolve?: Resolve };
};

export type Background = { start(): void; steps: readonly Step[] };

/** Background work of the roles `worker` and `all`: the sequencer runs at once, the rest after `start`. */
export function openBackground(options: BackgroundOptions, services: Services, metrics: Metrics): Background {
  const jobs = openJobs(options, services, metrics);
  const sequencer = runSequencer(services.db, options.log, metrics.observeSequenced);
  const replays = openReplays(services, options.log);
  const imports = createImportWorker(services, (error) => options.log.warn({ err: error }, "import step failed; will retry"));
  const payouts = createPayoutWorker(services, (error) => options.log.warn({ err: error }, "payout step failed; will retry"));
  const turns = createTurnWorker(services, (error) => options.log.warn({ err: error }, "an agent's turn failed; will retry"));
  const tests = createTestWorker(services, (error) => options.log.warn({ err: error }, "tests of an agent failed; will retry"));
  const deliveries = openDeliveries(options, services, metrics);
  const messages = openSending(options, services);
  const rollouts = openRollouts(options, services);
  const mailboxes = openMailboxes(options, services);
  const mailer = openMailer(options, services);
  return {
    start() {
      jobs?.start();
      deliveries.start();
      messages.start();
      mailboxes.start();
      imports.start();
      payouts.start();
      rollouts.start();
      turns.start();
      tests.start();
      mailer?.start();
    },
    steps: [
      { name: "deliveries", end: deliveries.stop },
      { name: "messages", end: messages.stop },
      { name: "mailboxes", end: mailboxes.stop },
      { name: "scheduled jobs", end: async () => jobs?.stop() },
      { name: "sequencer", end: sequencer.stop },
      { name: "webhook replays", end: replays.stop },
      { name: "imports", end: imports.stop },
      { name: "payouts", end: payouts.stop },
      { name: "rollouts", end: rollouts.stop },
      { name: "agents", end: turns.stop },
      { name: "tests of agents", end: tests.stop },
      { name: "e-mail", end: async () => mailer?.stop() },
    ],
  };
}

function openMailboxes({ log }: BackgroundOptions, services: Services) {
  const delayed = (error: unknown) => log.warn({ err: error }, "a mailbox could not be read; will retry");
  return createMailboxReader(services, { receive, delayed });
}

/** The scheduled jobs, with an owner connection that is opened when a job needs it. */
function openJobs({ connection, jobs, log }: BackgroundOptions, services: Services, metrics: Metrics): Worker | null {
  if (jobs === undefined) return null;
  const { db, clock } = services;
  const owner = openDatabase(jobs.owner, 1);
  const worker = createWorker({
    jobs: [
      ...maintenanceJobs(jobs.maintenance_at),
      ...FEATURES.flatMap((feature) => feature.jobs?.(services, jobs.maintenance_at) ?? []),
    ],
    ctx: { db, owner, clock },
    service: connection,
    owner: jobs.owner,
    log,
    observe: metrics.observeJob,
  });
  return {
    start: worker.start,
    async stop() {
      await worker.stop();
      await owner.close();
    },
  };
}

function openMailer({ mail, log }: BackgroundOptions, services: Services) {
  if (mail === undefined) return null;
  const compose = Object.assign({}, ...FEATURES.map(({ mails = {} }) => mails)) as Record<string, Compose>;
  return createMailer({ services, compose, sender: createMailSender(mail), log });
}

function openReplays(services: Services, log: Logger) {
  return runReplays(services, {
    queued: (partner_id) => services.onEvents?.(partner_id),
    delayed: (error) => log.warn({ err: error }, "replay step failed; will retry"),
  });
}

/** The delivery engine, with its own connections. A commit in this process wakes it at once. */
function openDeliveries(
  { connection, log, deliveries }: BackgroundOptions,
  services: Services,
  metrics: Metrics,
): DeliveryEngine {
  const db = openDatabase(withIndexOrder(connection), DELIVERY_CONNECTIONS_MAX);
  const { brand, egress, egress_ports } = services.settings;
  const sender = createHttpSender(createEgress(egress, deliveries?.resolve, egress_ports));
  const engine = createDeliveryEngine({
    services,
    db,
    sender,
    brand,
    log,
    observe: metrics.observeDelivery,
    ...(deliveries?.options === undefined ? {} : { options: deliveries.options }),
  });
  services.onEvents = engine.wake;
  metrics.watchDeliveries(engine.stats);
  return {
    ...engine,
    async stop() {
      await engine.stop();
      await db.close();
    },
  };
}

/** Sequences the events of feeds that nobody reads at the moment. Readers sequence their own, so this may be slow. */
function runSequencer(db: Database, log: Logger, observe: (count: number) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await sequenceAll(db).then(observe, (error) => log.warn({ err: error }, "sequencing failed; will retry"));
      await sleep(SEQUENCE_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** The engine that sends messages, with its own connections. A commit in this process wakes it at once. */
function openSending({ connection, log }: BackgroundOptions, services: Services): Pick<SendingEngine, "start" | "stop"> {
  const db = openDatabase(withIndexOrder(connection), SENDING_CONNECTIONS_MAX);
  const limits = openDatabase(connection, 1);
  const engine = createSendingEngine(
    { ...services, db },
    {
      limiter: createLimiter(limits),
      net: () => netOf(services),
      delayed: (error) => log.warn({ err: error }, "messages could not be sent; will retry"),
    },
  );
  services.onMessages = engine.wake;
  return {
    start: engine.start,
    async stop() {
      await engine.stop();
      await Promise.all([db.close(), limits.close()]);
    },
  };
}

/**
 * The worker of rollouts, with its own connections. A rollout fills tables that were empty when their statistics were last taken, so the
 * planner would read them whole, over and over.
 */
function openRollouts({ connection, log }: BackgroundOptions, services: Services): Pick<Worker, "start" | "stop"> {
  const db = openDatabase(withIndexOrder(connection), ROLLOUT_CONNECTIONS_MAX);
  const worker = createRolloutWorker({ ...services, db }, (error) => log.warn({ err: error }, "rollout step failed; will retry"));
  return {
    start: worker.start,
    async stop() {
      await worker.stop();
      await db.close();
    },
  };
}
