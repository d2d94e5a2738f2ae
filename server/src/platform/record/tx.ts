import type { ChangeDraft } from "../../kernel/changes.ts";
import type { EventDraft } from "../../kernel/events.ts";
import { type Kind, newId } from "../../kernel/ids.ts";
import type { Principal } from "../../kernel/principal.ts";
import { violatedConstraint } from "../db/connection.ts";
import { type Query, statement } from "../db/statement.ts";
import type { Sender } from "../db/transaction.ts";
import { type AuditDraft, auditQuery, type Origin } from "./audit.ts";
import { changesQuery } from "./changes.ts";
import { eventQueries, type NewEvent } from "./events.ts";

/** What a command records: it commits with the command, and is rolled back with it. */
type Told = { events?: readonly EventDraft[]; changes?: readonly ChangeDraft[]; audits?: readonly AuditDraft[] };

/** A transaction of a command. */
export type Tx = Sender & {
  now: Date;
  newId(kind: Kind): string;
  /** Records what happened at a partner: events, changes of records, audit entries. */
  tell(partner_id: string, told: Told): void;
  /** Wakes the deliveries of a partner once this has committed. */
  wake(partner_id: string): void;
  /** Wakes whoever sends the messages of a channel once this has committed. */
  wakeChannel(partner_id: string, channel_id: string): void;
  /**
   * Runs part of the command. If it throws, or `keep` rejects its result, its writes and records are rolled back, and the
   * transaction can go on.
   */
  savepoint<T>(body: () => Promise<T>, keep?: (result: T) => boolean): Promise<T>;
};

type Draft = { partner_id: string } & (
  | { kind: "event"; draft: EventDraft }
  | { kind: "change"; draft: ChangeDraft }
  | { kind: "audit"; draft: AuditDraft }
);

/** What the last flight of a transaction needs. */
export type Flush = {
  principal: Principal;
  origin: Origin;
  fanOut(partner_id: string, events: readonly NewEvent[], now: Date): Query[];
} & Wakes;

/** What is to be woken after the commit: partners with new deliveries, partners with changed records, and channels with their partners. */
export type Wakes = { queued: Set<string>; changed: Set<string>; channels: Map<string, string> };

const setSavepoint = statement("savepoint part");
const releaseSavepoint = statement("release savepoint part");
const rollBack = statement("rollback to savepoint part");

/** A transaction of a command over an open one of the database, and the queries that write what it recorded. */
export function createTx(db: Sender, now: Date, flush: Flush): { tx: Tx; told(): Query[] } {
  const drafts: Draft[] = [];

  async function undo(length: number): Promise<void> {
    drafts.length = length;
    await Promise.all([db.query(rollBack), db.query(releaseSavepoint)]);
  }

  const tx: Tx = {
    query: db.query,
    send: db.send,
    assuming: db.assuming,
    confirm: db.confirm,
    recall: db.recall,
    now,
    newId: (kind) => newId(kind, now.getTime()),
    tell(partner_id, { events = [], changes = [], audits = [] }) {
      for (const draft of events) drafts.push({ partner_id, kind: "event", draft });
      for (const draft of changes) drafts.push({ partner_id, kind: "change", draft });
      for (const draft of audits) drafts.push({ partner_id, kind: "audit", draft });
    },
    wake: (partner_id) => void flush.queued.add(partner_id),
    wakeChannel: (partner_id, channel_id) => void flush.channels.set(channel_id, partner_id),
    async savepoint(body, keep = () => true) {
      const { length } = drafts;
      // The savepoint leaves in one flight with the first statement of the body.
      const [, ran] = await Promise.allSettled([db.query(setSavepoint), body()]);
      if (ran.status === "fulfilled" && keep(ran.value)) {
        // The release is not awaited: it is sent with the next statement, at the latest with COMMIT.
        db.query(releaseSavepoint).catch(() => undefined);
        return ran.value;
      }
      await undo(length);
      if (ran.status === "fulfilled") return ran.value;
      throw ran.reason;
    },
  };
  return { tx, told: () => toldQueries(drafts, now, flush) };
}

/** Events with their deliveries, changes and audit entries, of each partner in the order of recording. */
function toldQueries(drafts: readonly Draft[], now: Date, { principal, origin, fanOut, queued, changed }: Flush): Query[] {
  const queries: Query[] = [];
  for (const [partner_id, events] of byPartner(drafts, "event")) {
    const [inserts, made] = eventQueries(partner_id, events as EventDraft[], now);
    const committed = (deliveries: number) => void (deliveries > 0 && queued.add(partner_id));
    queries.push(...inserts, ...fanOut(partner_id, made, now).map((query) => ({ ...query, committed })));
  }
  for (const [partner_id, changes] of byPartner(drafts, "change")) {
    changed.add(partner_id);
    queries.push(changesQuery(partner_id, changes as ChangeDraft[], now));
  }
  for (const [partner_id, audits] of byPartner(drafts, "audit")) {
    queries.push(auditQuery(partner_id, principal, origin, audits as AuditDraft[], now));
  }
  return queries;
}

function byPartner(drafts: readonly Draft[], kind: Draft["kind"]): Map<string, Draft["draft"][]> {
  const groups = new Map<string, Draft["draft"][]>();
  for (const { partner_id, kind: of, draft } of drafts) {
    if (of !== kind) continue;
    const group = groups.get(partner_id);
    if (group === undefined) groups.set(partner_id, [draft]);
    else group.push(draft);
  }
  return groups;
}

type Whose = { partner_id: string };

/** Records what a command did: its events and its audit entry. */
export function record(tx: Tx, { partner_id }: Whose, events: readonly EventDraft[], audit: AuditDraft): void {
  tx.tell(partner_id, { events, audits: [audit] });
}

/** Records the change of a record: for the feed of changes, and for the audit log unless another entry covers it. */
export function recordChange(
  tx: Tx,
  { partner_id }: Whose,
  change: ChangeDraft,
  audit: Pick<AuditDraft, "action" | "changes"> | null,
): void {
  const audits = audit === null ? [] : [{ ...audit, target: change.id, client_id: change.account_id }];
  tx.tell(partner_id, { changes: [change], audits });
}

/** Writes in a savepoint; null where that violates a unique constraint. */
export async function unlessTaken<T>(tx: Tx, write: () => Promise<T>): Promise<T | null> {
  return tx.savepoint(write).catch((error: unknown) => {
    if (violatedConstraint(error) === null) throw error;
    return null;
  });
}
