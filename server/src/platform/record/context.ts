import type { ChangeDraft } from "../../kernel/changes.ts";
import type { Clock } from "../../kernel/clock.ts";
import { fail } from "../../kernel/errors.ts";
import type { EventDraft } from "../../kernel/events.ts";
import { type Kind, newId } from "../../kernel/ids.ts";
import { type Caller, type Principal, type TenantScope, tenantScope } from "../../kernel/principal.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { Database } from "../db/database.ts";
import { undoneIfRefused } from "../db/savepoint.ts";
import type { Query, Queryable } from "../db/statement.ts";
import type { TransactionPlan } from "../db/transaction.ts";
import type { Readiness } from "../observe/readiness.ts";
import { type AuditDraft, auditQuery, type Origin } from "./audit.ts";
import { changesQuery } from "./changes.ts";
import { eventQueries, type NewEvent } from "./events.ts";
import { claimKey, type IdempotentRequest, replyQuery } from "./idempotency.ts";

/** What the process gives to everything that acts. */
export type Services = {
  db: Database;
  clock: Clock;
  sealer: Sealer;
  /** Checks inside the transaction that a key may still write. */
  admitWriter(tx: Queryable, caller: Caller, now: Date): Promise<void>;
  /** Checks inside the transaction that a key may still have the work done that it once asked for. */
  admitWork(tx: Queryable, work: Work, now: Date): Promise<void>;
  /** Queues the deliveries of events, in the transaction that they happened in. */
  fanOut(partner_id: string, events: readonly NewEvent[], now: Date): Query[];
  /** Told of a partner that has new deliveries, once they are committed. Nobody relies on it: it only saves a wait. */
  onEvents?: (partner_id: string) => void;
  settings: Settings;
  readiness(): Readiness;
};

/** Work that goes on after the request that asked for it: the key that sent it, what it takes, and where. */
export type Work = { partner_id: string; key_id: string; scope: Scope; account_id: string };

/** What the configuration says that actions depend on. */
export type Settings = { brand: string; egress: "strict" | "development" };

export type Tx = Queryable & { now: Date; newId(kind: Kind): string; drafts: Drafts };
type Drafts = {
  events: EventDraft[];
  changes: ChangeDraft[];
  audits: AuditDraft[];
  /** Partners with new deliveries. */
  queued: Set<string>;
};

/** Who acts, on what, from where, and the one way to change anything. */
export type Context = {
  db: Database;
  principal: Principal;
  scope: TenantScope;
  clock: Clock;
  sealer: Sealer;
  settings: Settings;
  readiness(): Readiness;
  /** The version that the caller saw, when it sent If-Match. */
  expected_version: number | null;
  tx<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
};

export type ContextOptions = {
  principal: Principal;
  origin?: Origin;
  expected_version?: number | null;
  idempotency?: IdempotentRequest | null;
};

export function createContext(services: Services, options: ContextOptions): Context {
  const { principal, origin = null, expected_version = null, idempotency = null } = options;
  return {
    db: services.db,
    principal,
    scope: tenantScope(principal),
    clock: services.clock,
    sealer: services.sealer,
    settings: services.settings,
    readiness: services.readiness,
    expected_version,
    async tx(body) {
      let queued = new Set<string>();
      const result = await services.db.transaction(() => {
        queued = new Set();
        return planTransaction(services, principal, origin, idempotency, queued, body);
      });
      for (const partner_id of queued) services.onEvents?.(partner_id);
      return result;
    },
  };
}

function planTransaction<T>(
  services: Services,
  principal: Principal,
  origin: Origin,
  idempotency: IdempotentRequest | null,
  queued: Set<string>,
  body: (tx: Tx) => Promise<T>,
): TransactionPlan<T> {
  const now = services.clock.now();
  const drafts: Drafts = { events: [], changes: [], audits: [], queued };
  return {
    open(tx) {
      const admitted = principal.type === "system" ? null : services.admitWriter(tx, principal, now);
      const claimed = idempotency === null ? null : claimKey(tx, services.sealer, principal, idempotency);
      return Promise.all([admitted, claimed]);
    },
    run: (tx) => body({ query: tx.query, now, drafts, newId: (kind) => newId(kind, now.getTime()) }),
    close(result) {
      const queries: Query[] = [];
      const { partner_id } = tenantScope(principal);
      for (const [owner, events] of Map.groupBy(drafts.events, ({ data }) => data.partner_id)) {
        const [inserts, made] = eventQueries(owner, events, now);
        const committed = (deliveries: number) => void (deliveries > 0 && queued.add(owner));
        queries.push(...inserts, ...services.fanOut(owner, made, now).map((query) => ({ ...query, committed })));
      }
      for (const [owner, changes] of Map.groupBy(drafts.changes, (change) => change.partner_id ?? partner_id)) {
        queries.push(changesQuery(owner, changes, now));
      }
      for (const [owner, audits] of Map.groupBy(drafts.audits, (audit) => audit.partner_id ?? partner_id)) {
        queries.push(auditQuery(owner, principal, origin, audits, now));
      }
      if (idempotency !== null) queries.push(replyQuery(services.sealer, principal, idempotency, result, now));
      return queries;
    },
  };
}

/** Says what a command did: its events and its audit entry, which commit with it. */
export function record(tx: Tx, events: EventDraft[], audit: AuditDraft): void {
  tx.drafts.events.push(...events);
  tx.drafts.audits.push(audit);
}

/** Says what a command did to a record of an account: the change for those who follow it, and the audit entry, unless another tells it. */
export function recordChange(tx: Tx, change: ChangeDraft, audit: Pick<AuditDraft, "action" | "changes"> | null): void {
  tx.drafts.changes.push(change);
  if (audit === null) return;
  const whose = change.partner_id === undefined ? {} : { partner_id: change.partner_id };
  tx.drafts.audits.push({ ...audit, ...whose, target: change.id, client_id: change.account_id });
}

/**
 * Does what may still be refused when some of it is written, and then undoes it alone: what it wrote, and what it said. Where it
 * need not be undone, `undoable` saves the trips.
 */
export async function attempt<T>({ query, drafts }: Tx, undoable: boolean, body: () => Promise<T>): Promise<T> {
  if (!undoable) return body();
  const said = [drafts.events, drafts.changes, drafts.audits].map((list) => ({ list, length: list.length }));
  return undoneIfRefused({ query }, body).catch((error: unknown) => {
    for (const { list, length } of said) list.length = length;
    throw error;
  });
}

/** Refuses a change of a row that is not the one the caller saw. */
export function requireVersion(ctx: Context, current: { version: number }): void {
  if (ctx.expected_version === null || ctx.expected_version === current.version) return;
  fail("version_mismatch", {
    detail: `If-Match says version ${ctx.expected_version}, the resource is at ${current.version}. Read it again first.`,
    meta: { current_version: current.version },
  });
}
