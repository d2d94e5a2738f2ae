import { createHash, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../kernel/ids.ts";
import { actorOf, type Principal } from "../../kernel/principal.ts";
import { type Query, statement } from "../db/statement.ts";

/** Where an action came from. */
export type Origin = { request_id: string | null; ip: string } | null;

/** What an action changed: old and new value, or only that it changed where the value is personal or secret. */
export type Changes = Record<string, { from: unknown; to: unknown } | "redacted">;

export type AuditDraft = {
  action: string;
  outcome?: "success" | "denied";
  target: string | null;
  client_id: string | null;
  changes?: Changes;
  /** How many times within a minute, for reads and denials. */
  count?: number;
  code?: string;
};

const insertAudit = statement(`
  insert into audit_entries (partner_id, id, action, actor_id, client_id, outcome, ip, body, leaf_hash)
  select $1, a.id, a.action, $2, a.client_id, a.outcome, $3::inet, a.body, a.leaf_hash
  from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::bytea[])
    as a (id, action, client_id, outcome, body, leaf_hash)`);

/**
 * Entries as final bytes. The nonce keeps a short entry from being guessed out of its hash once its bytes have been
 * dropped; the hash is a leaf of RFC 6962. The caller's address stays outside, so that it can be erased.
 */
export function auditQuery(principal: Principal, origin: Origin, drafts: AuditDraft[], now: Date): Query {
  const actor = actorOf(principal);
  const ids = drafts.map(() => newId("audit", now.getTime()));
  const bodies = drafts.map((draft, index) =>
    Buffer.from(
      JSON.stringify({
        id: ids[index],
        occurred_at: now.toISOString(),
        actor,
        action: draft.action,
        outcome: draft.outcome ?? "success",
        target: draft.target,
        client_id: draft.client_id,
        changes: draft.changes ?? null,
        count: draft.count ?? 1,
        code: draft.code ?? null,
        request_id: origin?.request_id ?? null,
        nonce: randomBytes(16).toString("base64url"),
      }),
    ),
  );
  return {
    statement: insertAudit,
    values: [
      principal.partner_id,
      actor.id,
      origin?.ip ?? null,
      ids,
      drafts.map(({ action }) => action),
      drafts.map(({ client_id }) => client_id),
      drafts.map(({ outcome }) => outcome ?? "success"),
      bodies,
      bodies.map(leafHash),
    ],
  };
}

function leafHash(body: Buffer): Buffer {
  return createHash("sha256").update("\0").update(body).digest();
}

/** The changed fields of two versions of a row, of those named; absent is null, and personal values are left out. */
export function changesBetween<Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
  personal: ReadonlySet<string> = new Set(),
): Changes {
  const changes: Changes = {};
  for (const field of fields) {
    const from = before[field] ?? null;
    const to = after[field] ?? null;
    if (isDeepStrictEqual(from, to)) continue;
    changes[field] = personal.has(field) ? "redacted" : { from, to };
  }
  return changes;
}
