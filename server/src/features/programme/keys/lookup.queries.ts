import type { Clock } from "../../../kernel/clock.ts";
import type { KeyPrincipal, OperatorPrincipal } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { type Queryable, type Statement, statement } from "../../../platform/db/statement.ts";
import type { FindCallers, SentSecret } from "../../../platform/http/authenticator.ts";

/** A lateral join forces one index probe per secret, whatever the planner estimates for the number of keys. */
const sentKeys = (match: string) => `unnest($1::bytea[], $2::inet[]) with ordinality as w (hash, ip, ordinal) cross join lateral (
    select * from keys where ${match}
  ) k`;
const ACTIVE = `k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
    and (k.allowed_cidrs is null or w.ip <<= any (k.allowed_cidrs))`;

/**
 * By the current secret, and by the previous one while it is valid. The second statement runs only for what the first did not
 * find, because a search by both would double the cost of every request. A rotation between the two loses no key: it turns the
 * secret of the first search into that of the second.
 */
type Lookup = { current: Statement; previous: Statement };

function lookup(statementOf: (keys: string) => string): Lookup {
  return {
    current: statement(statementOf(sentKeys("hash = w.hash"))),
    previous: statement(statementOf(sentKeys("previous_hash = w.hash and previous_hash_until > $3"))),
  };
}

const activeKeys = lookup(
  (keys) => `
  select w.ordinal::int as ordinal, k.id as key_id, k.version, k.partner_id, array_to_string(k.scopes, ' ') as scopes, k.clients,
    p.company, p.grade, p.currency, cardinality(p.default_snapshots) > 0 as default_snapshots,
    p.status = 'active' as partner_active, p.api_access,
    coalesce(t.rate_limit_per_minute, p.rate_limit_per_minute) as per_minute, coalesce(t.rate_limit_burst, p.rate_limit_burst) as burst
  from ${keys} join partners p on p.id = k.partner_id join tiers t on t.grade = p.grade
  where ${ACTIVE}`,
);

const activeOperatorKeys = lookup(
  (keys) => `
  select w.ordinal::int as ordinal, k.id as key_id, k.version
  from ${keys}
  where k.partner_id is null and ${ACTIVE}`,
);

type Found = { ordinal: number; key_id: string; version: number };
type KeyRow = Found &
  Omit<KeyPrincipal, "type" | "credential" | "scopes" | "clients" | "limit"> & {
    scopes: string;
    clients: string[] | null;
    per_minute: number;
    burst: number;
  };

const scopeSets = new Map<string, ReadonlySet<Scope>>();
const SCOPE_SETS_MAX = 1_000;

/** Interned, because many requests have one of few combinations of scopes. */
function scopeSet(scopes: string): ReadonlySet<Scope> {
  const known = scopeSets.get(scopes);
  if (known !== undefined) return known;
  if (scopeSets.size >= SCOPE_SETS_MAX) scopeSets.clear();
  const made = new Set(scopes.split(" ") as Scope[]);
  scopeSets.set(scopes, made);
  return made;
}

/** Called for every key that was admitted. */
export type NoteUse = (key_id: string, at: Date) => void;

/** The active keys of some requests: undefined for unknown, revoked, expired and rotated ones, and for other networks. */
export function findKeys(db: Queryable, clock: Clock, noteUse: NoteUse): FindCallers<KeyPrincipal> {
  return (sent) =>
    find<KeyRow, KeyPrincipal>(db, activeKeys, clock.now(), sent, noteUse, (row, credential) => {
      const { ordinal: _ordinal, version: _version, scopes, clients, per_minute, burst, ...rest } = row;
      return {
        type: "key",
        ...rest,
        credential,
        scopes: scopeSet(scopes),
        clients: clients ?? "all",
        limit: { per_minute, burst },
      };
    });
}

/** The same for operator keys, which have no partner. */
export function findOperatorKeys(db: Queryable, clock: Clock, noteUse: NoteUse): FindCallers<OperatorPrincipal> {
  return (sent) =>
    find<Found, OperatorPrincipal>(db, activeOperatorKeys, clock.now(), sent, noteUse, ({ key_id }, credential) => ({
      type: "operator",
      key_id,
      credential,
    }));
}

async function find<Row extends Found, Who>(
  db: Queryable,
  { current, previous }: Lookup,
  now: Date,
  sent: readonly SentSecret[],
  noteUse: NoteUse,
  principalOf: (row: Row, credential: KeyPrincipal["credential"]) => Who,
): Promise<(Who | undefined)[]> {
  const found: (Who | undefined)[] = sent.map(() => undefined);
  const search = async (by: Statement, indexes: number[]) => {
    const keys = indexes.map((index) => sent[index]);
    const rows = await db.query<Row>(by, [keys.map((key) => key?.hash), keys.map((key) => key?.ip), now]);
    for (const row of rows) {
      const index = indexes[row.ordinal - 1];
      const key = keys[row.ordinal - 1];
      if (index === undefined || key === undefined) continue;
      found[index] = principalOf(row, { hash: key.hash, ip: key.ip, version: row.version });
      noteUse(row.key_id, now);
    }
  };
  await search(current, [...sent.keys()]);
  const missing = [...sent.keys()].filter((index) => found[index] === undefined);
  if (missing.length > 0) await search(previous, missing);
  return found;
}
