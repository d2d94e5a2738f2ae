import { listIdentity } from "../../../kernel/page.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { columnsOf, insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Language } from "../payment-links/index.ts";
import { type AttemptState, LOOK_AFTER_MS } from "./model.ts";
import { type AttemptListQuery, Attempt as AttemptSchema } from "./schema.ts";

export type Payer = { name: string | null; email: string | null; answers: Record<string, string> };

export type Attempt = {
  partner_id: string;
  id: string;
  account_id: string;
  link_id: string;
  provider_id: string | null;
  provider_kind: string;
  provider_ref: string | null;
  redirect: string | null;
  amount_cents: number;
  tip_cents: number;
  currency: string;
  state: AttemptState;
  failure: string | null;
  payer: Payer;
  /** That of the pages that the payer reads; null for the browser's. */
  language: Language | null;
  created_at: Date;
};

const COLUMNS = [
  "partner_id",
  "id",
  "account_id",
  "link_id",
  "provider_id",
  "provider_kind",
  "provider_ref",
  "redirect",
  "amount_cents",
  "tip_cents",
  "currency",
  "state",
  "failure",
  "payer",
  "language",
  "created_at",
] as const;
const ATTEMPT = columnsOf("c", COLUMNS);

export type NewAttempt = Omit<Attempt, "created_at"> & { form_nonce: string | null };

const INSERTED = [...COLUMNS, "form_nonce", "state_at", "next_look_at"] as const;
const insertStatement = statement(`
  with c as (insert into payment_attempts ${insertValues(INSERTED)} returning *)
  select ${ATTEMPT} from c`);

export async function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<Attempt> {
  const times = { created_at: tx.now, state_at: tx.now, next_look_at: new Date(tx.now.getTime() + LOOK_AFTER_MS) };
  const row = { ...attempt, ...times, payer: JSON.stringify(attempt.payer) };
  const [made] = await tx.query<Attempt>(insertStatement, valuesOf(row, INSERTED));
  if (made === undefined) throw new Error("the attempt was not added");
  return made;
}

const byNonce = statement(`select ${ATTEMPT} from payment_attempts c where c.partner_id = $1 and c.form_nonce = $2`);

/** The attempt that a form has made. */
export async function attemptByNonceOrNull(db: Queryable, partner_id: string, form_nonce: string): Promise<Attempt | null> {
  return (await db.query<Attempt>(byNonce, [partner_id, form_nonce]))[0] ?? null;
}

const byId = statement(`select ${ATTEMPT} from payment_attempts c where c.partner_id = $1 and c.id = $2`);
const lockById = statement(`select ${ATTEMPT} from payment_attempts c where c.partner_id = $1 and c.id = $2 for update`);

export async function attemptOrNull(db: Queryable, partner_id: string, id: string): Promise<Attempt | null> {
  return (await db.query<Attempt>(byId, [partner_id, id]))[0] ?? null;
}

/** An attempt, locked; its link is locked before. */
export async function attemptForUpdate(tx: Queryable, partner_id: string, id: string): Promise<Attempt> {
  const [attempt] = await tx.query<Attempt>(lockById, [partner_id, id]);
  if (attempt === undefined) throw new Error(`no attempt ${id}`);
  return attempt;
}

const saveStatement = statement(`
  update payment_attempts set state = $3, failure = $4, provider_ref = $5, redirect = $6, state_at = $7
  where partner_id = $1 and id = $2`);

export async function saveAttempt(tx: Tx, { partner_id, id, state, failure, provider_ref, redirect }: Attempt): Promise<void> {
  await tx.query(saveStatement, [partner_id, id, state, failure, provider_ref, redirect, tx.now]);
}

const openOfLink = statement(`
  select ${ATTEMPT} from payment_attempts c
  where c.partner_id = $1 and c.link_id = $2 and c.state in ('created', 'pending', 'expiring')
  order by c.id limit 20`);

/** The attempts of a link that can still be ended. */
export function openAttempts(db: Queryable, partner_id: string, link_id: string): Promise<Attempt[]> {
  return db.query(openOfLink, [partner_id, link_id]);
}

const dueStatement = pollStatement(`
  -- all partners: every minute, by an index of what may still succeed.
  select ${ATTEMPT} from payment_attempts c
  where c.state in ('created', 'pending', 'processing', 'expiring') and c.next_look_at <= $1
  order by c.next_look_at limit $2`);

/** Attempts that are not decided and were not looked at for a while. */
export function attemptsDue(db: Queryable, now: Date, limit: number): Promise<Attempt[]> {
  return db.query(dueStatement, [now, limit]);
}

const laterStatement = statement("update payment_attempts set next_look_at = $3 where partner_id = $1 and id = $2");

export async function lookLater(db: Queryable, { partner_id, id }: Pick<Attempt, "partner_id" | "id">, at: Date): Promise<void> {
  await db.query(laterStatement, [partner_id, id, at]);
}

const ATTEMPT_JSON = rowJson(AttemptSchema, { payment_link_id: "c.link_id", provider: "c.provider_kind" });

/** The attempts of a link, newest first. */
export function attemptsPage(db: Queryable, scope: TenantScope, link_id: string, query: AttemptListQuery) {
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("payment-attempts", { link_id }),
      table: "payment_attempts",
      json: ATTEMPT_JSON,
      sort: byCreation(true),
      conditions: (place) => [anyOf("c.link_id", [link_id], place)],
    },
    query,
  );
}

const eraseStatement = statement(`
  update payment_attempts set payer = '{"name": null, "email": null, "answers": {}}'
  where partner_id = $1 and link_id in (select l.id from payment_links l where l.partner_id = $1 and l.contact_id = any ($2))`);

/** Erases who has tried to pay the links of some people, also in vain. */
export async function erasePayersOfAttempts(db: Queryable, partner_id: string, contact_ids: readonly string[]): Promise<void> {
  await db.query(eraseStatement, [partner_id, contact_ids]);
}
