import type { Clock } from "../../kernel/clock.ts";
import { fail } from "../../kernel/errors.ts";
import { type Caller, type ClientAccess, type Principal, type TenantScope, tenantScope } from "../../kernel/principal.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { Signer } from "../crypto/sign.ts";
import type { Database } from "../db/database.ts";
import type { SandboxReader } from "../db/sandbox-reader.ts";
import type { Query, Queryable } from "../db/statement.ts";
import type { Sender, TransactionPlan } from "../db/transaction.ts";
import type { SessionCookie } from "../http/session-cookie.ts";
import type { Outbound } from "../net/outbound.ts";
import type { Readiness } from "../observe/readiness.ts";
import type { Origin } from "./audit.ts";
import type { NewEvent } from "./events.ts";
import type { Follower } from "./follow.ts";
import { type Admission, claimAlone, claimOf, type IdempotentRequest, replyQuery, requireNew } from "./idempotency.ts";
import { createTx, type Tx, type Wakes } from "./tx.ts";

/** What the process gives to everything that acts. */
export type Services = {
  db: Database;
  sandbox: SandboxReader;
  clock: Clock;
  sealer: Sealer;
  signer: Signer;
  /** Checks inside the transaction that a key or a user may still write, and takes the lock of what the write claims, if anything. */
  admitWriter(tx: Sender, caller: Caller, now: Date, claim: string | null): Promise<Admission>;
  /** Checks inside the transaction that a key or a user may still have the work done that it once asked for. */
  admitWork(tx: Queryable, work: Work, now: Date): Promise<void>;
  /** Queues the deliveries of events, in the transaction that they happened in. */
  fanOut(partner_id: string, events: readonly NewEvent[], now: Date): Query[];
  /** What features call in others that stand below them. */
  hooks: Hooks;
  /** Told of a partner that has new deliveries, once they are committed. Nobody relies on it: it only saves a wait. */
  onEvents?: (partner_id: string) => void;
  /** Told of a channel that has a new message to send, likewise. */
  onMessages?: (partner_id: string, channel_id: string) => void;
  /** Hands out the changes of records to streams. */
  follower: Follower;
  /** Reaches other services. */
  outbound: Outbound;
  settings: Settings;
  readiness(): Readiness;
};

/** Calls against the order of the features: whoever stands above names what it needs, `wiring.ts` gives what is below. */
export type Hooks = {
  /** Decides what a new account begins with: the snapshots that are asked for, or the partner's defaults for null. */
  furnish(
    ctx: Context,
    tx: Tx,
    account: { partner_id: string; id: string },
    asked: readonly { snapshot_id: string; version?: number }[] | null,
  ): Promise<Furnishing>;
  /** Releases the companies that a client holds when it churns, and claims them again when it is won back. */
  updateClientClaims(tx: Tx, client: { partner_id: string; id: string; status: string }, from: string): Promise<void>;
  /** How many deals stand in each stage of some pipelines. */
  stagesInUse(tx: Tx, partner: Pick<TenantScope, "partner_id">, pipeline_ids: readonly string[]): Promise<StageUse[]>;
  /** Which of some stages a deal has ever been in. */
  stagesEverUsed(tx: Tx, partner: Pick<TenantScope, "partner_id">, stage_ids: readonly string[]): Promise<string[]>;
  /** The leads that became one of some contacts. */
  leadsOf(db: Queryable, scope: TenantScope, contact_ids: readonly string[]): Promise<string[]>;
  /** Deletes what is kept of rows that could not be imported, where they are about some people. */
  eraseFailedRows(db: Queryable, partner_id: string, people: readonly Person[]): Promise<void>;
  /** Erases what is kept elsewhere of people who are erased: what was written with them. */
  erased(db: Queryable, partner_id: string, record_ids: readonly string[], now: Date): Promise<void>;
  /** Whether something that is not of the records refers to a contact. */
  contactInUse(tx: Queryable, partner_id: string, contact_id: string): Promise<boolean>;
  /** What was written with some people before a moment, as entries of a timeline, newest first. */
  messagesOf(
    db: Queryable,
    scope: TenantScope,
    person_ids: readonly string[],
    before: string | null,
    limit: number,
  ): Promise<{ id: string; json: string }[]>;
  /** What some people have paid before a moment, likewise. */
  paymentsOf(
    db: Queryable,
    scope: TenantScope,
    person_ids: readonly string[],
    before: string | null,
    limit: number,
  ): Promise<{ id: string; json: string }[]>;
  /** Told of every message that a person wrote, in the transaction that stores it. */
  received(ctx: Context, tx: Tx, received: Received): Promise<void>;
  /** Refuses a version of an agent that does not pass its tests; gives the hash of the content that was tested. */
  passSuite(ctx: Context, agent_id: string, version: number): Promise<string>;
  /** Refuses defaults of a partner that could not be deployed to a new client, except those that it had before. */
  checkDefaults(tx: Tx, scope: TenantScope, snapshot_ids: readonly string[], before: readonly string[]): Promise<void>;
  /** The records of an account that a snapshot has there by its deployments, by `type/key`, with the ids of their parts by key. */
  installedRecords(
    db: Queryable,
    scope: TenantScope,
    account_id: string,
    snapshot_id: string,
  ): Promise<Readonly<Record<string, { id: string; parts: Readonly<Record<string, string>> }>>>;
  /** Ends the sessions and links of a user, except one session. */
  endAccess(tx: Tx, user_id: string, kept_session_id: string | null): Promise<void>;
};

/** What a new account begins with. */
export type Furnishing = {
  snapshots: readonly { snapshot_id: string; version: number; status: "installed" | "queued" }[];
  /** Sent right after the account itself. */
  open(): void;
  /** Deploys the snapshots, once it is recorded that the account was created. */
  deploy(): Promise<void>;
};

/** A message of a person, and the conversation that it belongs to. */
export type Received = {
  conversation: {
    id: string;
    account_id: string;
    channel_id: string;
    owner_kind: string;
    owner_id: string | null;
    owner_token: number;
  };
  message: { id: string; ordinal: number; text: string; automatic: boolean };
};

/** What a person is known by in an account. */
export type Person = { account_id: string } & Record<"name" | "phone" | "email" | "external_id", string | null>;

export type StageUse = { pipeline_id: string; stage_id: string; deals: number; open_deals: number };

/** Work that goes on after the request that asked for it: the key or user that sent it, what it takes, and where. */
export type Work = { partner_id: string; by: string; scope: Scope; accounts: ClientAccess };

/** What the configuration says that actions depend on. */
export type Settings = {
  brand: string;
  egress: "strict" | "development";
  egress_ports?: readonly number[];
  /** Whether the programme was filled with demo data. */
  demo: boolean;
  /** The public address of the service. */
  baseUrl(): string;
  /** Whether the service sends e-mail. */
  smtp: boolean;
  /** The cookie of the portal's sessions. */
  cookie: SessionCookie;
  /** How long a stream without data is silent. Default: 15 seconds. */
  heartbeat_ms?: number;
};

/** Who acts, on what, from where, and the one way to change anything. */
export type Context = {
  db: Database;
  /** Reads an account for runs of the sandbox. */
  sandbox: SandboxReader;
  principal: Principal;
  scope: TenantScope;
  clock: Clock;
  sealer: Sealer;
  signer: Signer;
  settings: Settings;
  readiness(): Readiness;
  follower: Follower;
  outbound: Outbound;
  hooks: Hooks;
  /** The version that the caller saw, when it sent If-Match. */
  expected_version: number | null;
  /** Whether the caller sent an Idempotency-Key: then its request may have a reply already, whatever would be refused by now. */
  repeatable: boolean;
  /**
   * Leaves with the stored reply of a request that is repeated, before what takes long or depends on the time. It claims nothing: of two
   * that go on, the transaction that follows lets one.
   */
  replayed(): Promise<void>;
  tx<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same, sent in one round trip if all that the body waits for is known: it assumes that and has it confirmed. */
  txAtOnce<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** A context for what the service does for the same partner after the request's own transaction, such as a call of a provider. */
  afterwards(): Context;
};

export type ContextOptions = {
  principal: Principal;
  origin?: Origin;
  expected_version?: number | null;
  idempotency?: IdempotentRequest | null;
};

export function createContext(services: Services, options: ContextOptions): Context {
  const { principal, origin = null, expected_version = null, idempotency = null } = options;

  async function run<T>(body: (tx: Tx) => Promise<T>, at_once: boolean): Promise<T> {
    let wakes = noWakes();
    const result = await services.db.transaction(() => {
      wakes = noWakes();
      return { at_once, ...planTransaction(services, principal, origin, idempotency, wakes, body) };
    });
    for (const partner_id of wakes.queued) services.onEvents?.(partner_id);
    for (const partner_id of wakes.changed) services.follower.wake(partner_id);
    for (const [channel_id, partner_id] of wakes.channels) services.onMessages?.(partner_id, channel_id);
    return result;
  }

  return {
    db: services.db,
    sandbox: services.sandbox,
    principal,
    scope: tenantScope(principal),
    clock: services.clock,
    sealer: services.sealer,
    signer: services.signer,
    settings: services.settings,
    readiness: services.readiness,
    follower: services.follower,
    outbound: services.outbound,
    hooks: services.hooks,
    expected_version,
    repeatable: idempotency !== null,
    async replayed() {
      if (idempotency === null) return;
      const plan = () => planTransaction(services, principal, origin, idempotency, noWakes(), async () => undefined);
      await services.db.transaction(() => ({ ...plan(), close: () => [] }));
    },
    afterwards: () =>
      createContext(services, { principal: { type: "system", partner_id: tenantScope(principal).partner_id }, origin }),
    tx: (body) => run(body, false),
    txAtOnce: (body) => run(body, true),
  };
}

const noWakes = (): Wakes => ({ queued: new Set(), changed: new Set(), channels: new Map() });

function planTransaction<T>(
  services: Services,
  principal: Principal,
  origin: Origin,
  idempotency: IdempotentRequest | null,
  wakes: Wakes,
  body: (tx: Tx) => Promise<T>,
): TransactionPlan<T> {
  const now = services.clock.now();
  let told = (): Query[] => [];
  return {
    async open(db) {
      const claim = idempotency === null ? null : claimOf(principal, idempotency);
      const admitted = principal.type === "system" ? claimAlone(db, claim) : services.admitWriter(db, principal, now, claim);
      await (idempotency === null ? admitted : requireNew(db, services.sealer, principal, idempotency, admitted));
    },
    run(db) {
      const made = createTx(db, now, { principal, origin, fanOut: services.fanOut, ...wakes });
      told = made.told;
      return body(made.tx);
    },
    close(result) {
      const reply = idempotency === null ? [] : [replyQuery(services.sealer, principal, idempotency, result, now)];
      return [...told(), ...reply];
    },
  };
}

/** Refuses to change another version than the one in If-Match. */
export function requireVersion(ctx: Context, current: { version: number }): void {
  if (ctx.expected_version === null || ctx.expected_version === current.version) return;
  fail("version_mismatch", {
    detail: `If-Match says version ${ctx.expected_version}, the resource is at ${current.version}. Read it again first.`,
    meta: { current_version: current.version },
  });
}
