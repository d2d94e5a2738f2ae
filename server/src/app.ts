import type { FastifyInstance } from "fastify";
import { type Background, type BackgroundOptions, openBackground } from "./background.ts";
import { receive } from "./features/inbox/conversations/index.ts";
import { type Clicks, createClicks } from "./features/money/links/index.ts";
import { findKeys, findOperatorKeys, saveUses } from "./features/programme/keys/index.ts";
import { findSessions, saveVisits } from "./features/programme/sessions/index.ts";
import { saveLastSeen } from "./features/programme/users/index.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import type { KeyPrincipal, OperatorPrincipal, PersonPrincipal } from "./kernel/principal.ts";
import { createSealer } from "./platform/crypto/seal.ts";
import { createSigner } from "./platform/crypto/sign.ts";
import type { Connection } from "./platform/db/connection.ts";
import { openDatabase } from "./platform/db/database.ts";
import { createSandboxReader } from "./platform/db/sandbox-reader.ts";
import { type Authenticate, createKeyAuthenticator, createSessionAuthenticator } from "./platform/http/authenticator.ts";
import { createDrain } from "./platform/http/drain.ts";
import { type MountOptions, mount } from "./platform/http/mount.ts";
import { createRequestLimits } from "./platform/http/request-limits.ts";
import { createServer } from "./platform/http/server.ts";
import { createSessionCookie } from "./platform/http/session-cookie.ts";
import { createLimiter } from "./platform/limits/limiter.ts";
import { createLocalLimiter } from "./platform/limits/local.ts";
import type { MailListener } from "./platform/mail/listener.ts";
import { createOutbound } from "./platform/net/outbound.ts";
import { createMetrics } from "./platform/observe/metrics.ts";
import type { Readiness } from "./platform/observe/readiness.ts";
import type { Services, Settings } from "./platform/record/context.ts";
import { createFollower } from "./platform/record/follow.ts";
import { createTally, type Tally } from "./platform/record/tally.ts";
import { createUsage, type Usage } from "./platform/record/usage.ts";
import { createShutdown, type Step } from "./platform/shutdown.ts";
import { adminV1 } from "./surfaces/admin-v1.ts";
import { mountDocs } from "./surfaces/docs/index.ts";
import { generalV1 } from "./surfaces/general-v1.ts";
import { mountHealth } from "./surfaces/health.ts";
import { partnerV1 } from "./surfaces/partner-v1.ts";
import { suggestPath } from "./surfaces/paths.ts";
import { mountPortalApi } from "./surfaces/portal/api.ts";
import { mountPortal } from "./surfaces/portal/portal.ts";
import { mountChat } from "./surfaces/public/chat.ts";
import { mountFiles } from "./surfaces/public/files.ts";
import { mountHooks } from "./surfaces/public/hooks.ts";
import { openMailListener } from "./surfaces/public/mail.ts";
import { mountPay } from "./surfaces/public/pay/index.ts";
import { mountRedirects } from "./surfaces/public/redirects.ts";
import { mountSimulator } from "./surfaces/public/simulator.ts";
import { mountWidget } from "./surfaces/public/widget.ts";
import { WIRING } from "./wiring.ts";

/** As many as the first page of the portal uses at once. */
const CONNECTIONS_KEPT = 4;

export type AppOptions = BackgroundOptions & {
  connections_max: number;
  /** The login of the sandbox. Default: that of the service. */
  sandbox?: Connection | null;
  secret_key: string;
  /** A function, because a free port is known only once the server listens. */
  baseUrl(): string;
  /** The newest migration of this version: not ready before the database has it. */
  migration: number;
  clock?: Clock;
  role?: "api" | "worker" | "all";
  docs_access?: "keys" | "public";
  metrics_access?: "operator" | "public";
  /** The networks of the proxies whose X-Forwarded-For is believed. Default: none. */
  trusted_proxies?: readonly string[];
  /** How long a request may take to arrive, except an upload. */
  request_within_ms?: number;
  /** Default: the brand Service and strict egress. */
  settings?: Partial<Settings>;
  rate_limits?: "on" | "off";
};

export type App = {
  http: FastifyInstance;
  services: Services;
  tally: Tally;
  /** Last use of keys and of sessions. */
  usage: Usage;
  /** Clicks of affiliate links that are not stored yet. */
  clicks: Clicks;
  /** Accepts mail for e-mail channels once it listens; null in the role `worker`. */
  mail: MailListener | null;
  /** Sets what /readyz reports: orchestrators send requests only while it is ready. */
  setReadiness(readiness: Readiness): void;
  /** Drains requests and background work, flushes counters, closes the database: in this order, by name. */
  steps: readonly Step[];
  /** All of these steps. */
  close(): Promise<void>;
};

/** Composes the application. Listening is left to the process. */
export async function createApp(options: AppOptions): Promise<App> {
  const { log, role = "all" } = options;
  let readiness: Readiness = "starting";
  const services = openServices(options, () => readiness);
  const { db, clock } = services;
  const metrics = createMetrics(db);
  const { tally, usage, visits, clicks } = openBuffers(services, log);
  const { baseUrl, request_within_ms, trusted_proxies } = options;
  const http = createServer({ baseUrl, clock, log, metrics, suggestPath, request_within_ms, trusted_proxies });
  const drain = createDrain(http);
  const limits = options.rate_limits === "off" ? undefined : createRequestLimits(createLimiter(db));
  const authenticateOperator = createKeyAuthenticator(findOperatorKeys(db.byKey, clock, usage.note));
  mountHealth(http, {
    db,
    log,
    metrics,
    migration: options.migration,
    readiness: services.readiness,
    authenticate: options.metrics_access === "public" ? null : authenticateOperator,
    limits,
  });
  if (role !== "worker") {
    const key = createKeyAuthenticator(findKeys(db.byKey, clock, usage.note));
    const person = createSessionAuthenticator(findSessions(db.byKey, clock, visits.note), services.settings.cookie.read);
    mountRedirects(http, { services, clicks, limiter: limits && createLocalLimiter() });
    mountHooks(http, { services, receive, limits });
    mountFiles(http, { services, limits });
    mountChat(http, { services, limits });
    mountWidget(http);
    mountPay(http, { services, limits });
    mountSimulator(http, services);
    mountApis(http, { services, tally, suggestPath, limits }, { key, operator: authenticateOperator, person }, options);
  }
  const mail = role === "worker" ? null : openMailListener(services, receive, log);
  const background: Background | null = role === "api" ? null : openBackground(options, services, metrics);
  const steps: Step[] = [
    {
      name: "requests",
      end() {
        readiness = "draining";
        services.follower.close();
        return drain();
      },
    },
    { name: "incoming e-mail", end: async () => mail?.close() },
    ...(background?.steps ?? []),
    { name: "outgoing connections", end: async () => services.outbound.close() },
    { name: "clicks", end: clicks.close },
    { name: "audit counters", end: tally.close },
    { name: "key usage", end: usage.close },
    { name: "session usage", end: visits.close },
    { name: "database connections", end: async () => void (await Promise.all([services.sandbox.close(), db.close()])) },
  ];
  await http.ready();
  return {
    http,
    services,
    tally,
    usage,
    clicks,
    mail,
    setReadiness(now) {
      // Started only once the service is ready, so that background work does not delay the start.
      if (now === "ready" && readiness !== "ready") background?.start();
      readiness = now;
    },
    steps,
    close: createShutdown(steps).run,
  };
}

function openServices(options: AppOptions, readiness: Services["readiness"]): Services {
  const { clock = systemClock, log, secret_key } = options;
  const db = openDatabase(options.connection, options.connections_max, CONNECTIONS_KEPT);
  const settings = settingsOf(options);
  return {
    db,
    sandbox: createSandboxReader(db, options.sandbox, (message) => log.warn(message)),
    clock,
    sealer: createSealer(secret_key),
    signer: createSigner(secret_key),
    ...WIRING,
    settings,
    outbound: createOutbound({ ...settings, resolve: options.deliveries?.resolve }),
    follower: createFollower(db, (error) => log.warn({ err: error }, "the change feed could not be followed; will retry")),
    readiness,
  };
}

/** What is kept in memory for a moment and written together, because a write per request would cost more than the request. */
function openBuffers(services: Services, log: AppOptions["log"]) {
  const { db, clock } = services;
  const delayed = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} could not be written; will retry`);
  return {
    tally: createTally(db, clock, (error) => log.error({ err: error }, "audit counters could not be written")),
    usage: createUsage((uses) => saveUses(db, uses), delayed("last_used_at of keys")),
    visits: createUsage(async (seen) => saveLastSeen(db, await saveVisits(db, seen)), delayed("last_seen_at of sessions")),
    clicks: createClicks(services, {
      delayed: delayed("clicks of affiliate links"),
      dropped: (count) => log.warn({ count }, "clicks of affiliate links were dropped: too many wait to be written"),
    }),
  };
}

function settingsOf({ baseUrl, mail, settings }: AppOptions): Settings {
  const cookie = createSessionCookie(baseUrl);
  return { brand: "Service", egress: "strict", demo: false, smtp: mail !== undefined, baseUrl, cookie, ...settings };
}

type Authenticators = {
  key: Authenticate<KeyPrincipal>;
  operator: Authenticate<OperatorPrincipal>;
  person: Authenticate<PersonPrincipal>;
};

function mountApis(
  http: FastifyInstance,
  common: Pick<MountOptions, "services" | "tally" | "suggestPath" | "limits">,
  authenticate: Authenticators,
  { baseUrl, docs_access = "keys" }: AppOptions,
): void {
  mount(http, { ...common, ...partnerV1, authenticate: authenticate.key });
  mount(http, { ...common, ...generalV1, authenticate: authenticate.key });
  mount(http, { ...common, ...adminV1, authenticate: authenticate.operator });
  mountPortalApi(http, { ...common, baseUrl, authenticate: authenticate.person });
  mountDocs(http, {
    baseUrl,
    access: docs_access,
    authenticate: authenticate.key,
    authenticatePerson: authenticate.person,
    limits: common.limits,
    portal: mountPortal(http),
  });
}
