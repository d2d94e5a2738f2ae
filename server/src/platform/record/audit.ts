import { hash, randomFillSync } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../kernel/ids.ts";
import { actorOf, type Principal } from "../../kernel/principal.ts";
import { insertRows } from "../db/insert-rows.ts";
import type { Query } from "../db/statement.ts";

/** Where an action came from. */
export type Origin = { request_id: string | null; ip: string } | null;

/** What an action changed: old and new value, or `redacted` where the value is personal or secret. */
export type Changes = Record<string, { from: unknown; to: unknown } | "redacted">;

export type AuditDraft = {
  action: string;
  outcome?: "success" | "denied";
  target: string | null;
  client_id: string | null;
  changes?: Changes;
  /** Occurrences within a minute, for reads and denials. */
  count?: number;
  code?: string;
  /** Whether somebody of another partner did it, whom this one must not learn of: the entry names the service. */
  unnamed?: true;
};

const insertAudit = insertRows("audit_entries", [
  ["id", "text"],
  ["action", "text"],
  ["actor_id", "text"],
  ["client_id", "text"],
  ["outcome", "text"],
  ["ip", "inet"],
  ["body", "bytea"],
  ["leaf_hash", "bytea"],
  ["tallied", "boolean"],
  ["target", "text"],
]);

/**
 * Entries as final bytes. The nonce keeps a short entry from being guessed from its hash once its bytes are deleted; the hash
 * is a leaf of RFC 6962. The caller's address is a column of its own, so that it can be erased.
 */
export function auditQuery(partner_id: string, principal: Principal, origin: Origin, drafts: AuditDraft[], now: Date): Query {
  const caller = { actor: actorOf(principal), request_id: origin?.request_id ?? null, ip: origin?.ip ?? null };
  const service = { actor: actorOf({ type: "system", partner_id }), request_id: null, ip: null };
  const occurred_at = now.toISOString();
  const rows = drafts.map((draft) => {
    const { action, outcome = "success", target, client_id, changes = null, count = 1, code = null } = draft;
    const tallied = draft.count !== undefined;
    const id = newId("audit", now.getTime());
    const { actor, request_id, ip } = draft.unnamed === true ? service : caller;
    const nonce = nextNonce();
    const entry = { id, occurred_at, actor, action, outcome, target, client_id, changes, count, code, request_id, nonce };
    const body = Buffer.from(JSON.stringify(entry));
    return [id, action, actor.id, client_id, outcome, ip, body, leafHash(body), tallied, target];
  });
  return insertAudit(partner_id, rows);
}

const NONCE_BYTES = 16;
const nonces = Buffer.alloc(NONCE_BYTES * 256);
let nonces_left = 0;

/** Generated in batches: a call costs a third of the whole entry. */
function nextNonce(): string {
  if (nonces_left === 0) {
    randomFillSync(nonces);
    nonces_left = nonces.length / NONCE_BYTES;
  }
  nonces_left -= 1;
  return nonces.toString("base64url", nonces_left * NONCE_BYTES, (nonces_left + 1) * NONCE_BYTES);
}

const LEAF = Buffer.of(0);

function leafHash(body: Buffer): Buffer {
  return hash("sha256", Buffer.concat([LEAF, body]), "buffer");
}

/** The fields that differ between two versions of a row; a missing field is null, and personal values are redacted. */
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
