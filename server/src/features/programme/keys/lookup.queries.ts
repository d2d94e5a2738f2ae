import type { Clock } from "../../../kernel/clock.ts";
import type { KeyPrincipal, OperatorPrincipal } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { type Queryable, type Statement, statement } from "../../../platform/db/statement.ts";
import type { FindKeys, SentKey } from "../../../platform/http/key-lookup.ts";

/** Row by row, so that a secret is one probe of an index whatever the planner thinks of the number of keys. */
const sentKeys = (match: string) => `unnest($1::bytea[], $2::inet[]) with ordinality as w (hash, ip, place) cross join lateral (
    select * from keys where ${match}
  ) k`;
const ALIVE = `k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
    and (k.allowed_cidrs is null or w.ip <<= any (k.allowed_cidrs))`;

/**
 * By the secret itself, and by the one before it while that is good. The second is asked only for what the first did not
 * find, because a search in both costs every request twice as much. A rotation between the two loses nobody: it makes
 * the secret of the first search that of the second.
 */
type Search = { current: Statement; previous: Statement };

function search(statementOf: (keys: string) => string): Search {
  return {
    current: statement(statementOf(sentKeys("hash = w.hash"))),
    previous: statement(statementOf(sentKeys("previous_hash = w.hash and previous_hash_until > $3"))),
  };
}

const livingKeys = search(
  (keys) => `
  select w.place::int as place, k.id as key_id, k.version, k.partner_id, array_to_string(k.scopes, ' ') as scopes, k.clients,
    p.company, p.grade, p.currency, p.status = 'active' as partner_active, p.api_access, p.rate_limit_per_minute as per_minute, p.rate_limit_burst as burst
  from ${keys} join partners p on p.id = k.partner_id
  where ${ALIVE}`,
);

const livingOperatorKeys = search(
  (keys) => `
  select w.place::int as place, k.id as key_id, k.version
  from ${keys}
  where k.partner_id is null and ${ALIVE}`,
);

type Found = { place: number; key_id: string; version: number };
type KeyRow = Found &
  Omit<KeyPrincipal, "type" | "credential" | "scopes" | "clients" | "limit"> & {
    scopes: string;
    clients: string[] | null;
    per_minute: number;
    burst: number;
  };

const scopeSets = new Map<string, ReadonlySet<Scope>>();
const SCOPE_SETS_MAX = 1_000;

/** Many requests have the same scopes, and few scopes go together. */
function scopeSet(scopes: string): ReadonlySet<Scope> {
  const known = scopeSets.get(scopes);
  if (known !== undefined) return known;
  if (scopeSets.size >= SCOPE_SETS_MAX) scopeSets.clear();
  const made = new Set(scopes.split(" ") as Scope[]);
  scopeSets.set(scopes, made);
  return made;
}

/** Told of every key that was let in. */
export type NoteUse = (key_id: string, at: Date) => void;

/** The living keys among those sent: revoked, expired and rotated ones, and those from elsewhere, are not there. */
export function findKeys(db: Queryable, clock: Clock, noteUse: NoteUse): FindKeys<KeyPrincipal> {
  return (sent) =>
    find<KeyRow, KeyPrincipal>(db, livingKeys, clock.now(), sent, noteUse, (row, credential) => {
      const { place: _place, version: _version, scopes, clients, per_minute, burst, ...rest } = row;
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

/** The same for the operator's keys, which belong to no partner. */
export function findOperatorKeys(db: Queryable, clock: Clock, noteUse: NoteUse): FindKeys<OperatorPrincipal> {
  return (sent) =>
    find<Found, OperatorPrincipal>(db, livingOperatorKeys, clock.now(), sent, noteUse, ({ key_id }, credential) => ({
      type: "operator",
      key_id,
      credential,
    }));
}

async function find<Row extends Found, Who>(
  db: Queryable,
  { current, previous }: Search,
  now: Date,
  sent: readonly SentKey[],
  noteUse: NoteUse,
  principalOf: (row: Row, credential: KeyPrincipal["credential"]) => Who,
): Promise<(Who | undefined)[]> {
  const found: (Who | undefined)[] = sent.map(() => undefined);
  const look = async (by: Statement, places: number[]) => {
    const asked = places.map((place) => sent[place]);
    const rows = await db.query<Row>(by, [asked.map((key) => key?.hash), asked.map((key) => key?.ip), now]);
    for (const row of rows) {
      const place = places[row.place - 1];
      const key = asked[row.place - 1];
      if (place === undefined || key === undefined) continue;
      found[place] = principalOf(row, { hash: key.hash, ip: key.ip, version: row.version });
      noteUse(row.key_id, now);
    }
  };
  await look(current, [...sent.keys()]);
  const missing = [...sent.keys()].filter((place) => found[place] === undefined);
  if (missing.length > 0) await look(previous, missing);
  return found;
}
