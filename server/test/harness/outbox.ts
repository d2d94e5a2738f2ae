import { ALL_EVENT_TYPES } from "../../src/kernel/events.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { Sealer } from "../../src/platform/crypto/seal.ts";
import { newWebhookSecret, secretPurpose } from "../../src/platform/crypto/webhook-signature.ts";
import type { TestDatabase } from "./database.ts";

export type EndpointFields = {
  url: string;
  ordering?: "none" | "subject" | "strict";
  max_in_flight?: number;
  rate_limit_per_second?: number | null;
  timeout_ms?: number;
};

export type TestEndpoint = { id: string; secret: string };

const INSERT_ENDPOINT = `
  with e as (
    insert into webhook_endpoints (partner_id, id, url, event_types, ordering, max_in_flight, rate_limit_per_second, timeout_ms,
      created_by, created_at, updated_at)
    values ($1, $2, $3, '{${ALL_EVENT_TYPES.join(",")}}', $4, $5, $6, $7, 'system', now(), now()) returning partner_id, id
  ), s as (
    insert into webhook_secrets (partner_id, endpoint_id, secret, hint, created_at)
    select partner_id, id, $8, 'hint', now() from e
  )
  insert into webhook_lanes (partner_id, endpoint_id) select partner_id, id from e`;

/** An endpoint straight in the database. */
export async function insertEndpoint(
  sql: TestDatabase["sql"],
  sealer: Sealer,
  partner_id: string,
  fields: EndpointFields,
): Promise<TestEndpoint> {
  const { url, ordering = "none", max_in_flight = 16, rate_limit_per_second = null, timeout_ms = 15_000 } = fields;
  const id = newId("endpoint", Date.now());
  const secret = newWebhookSecret();
  const sealed = sealer.seal(secret, secretPurpose(id));
  await sql(INSERT_ENDPOINT, [partner_id, id, url, ordering, max_in_flight, rate_limit_per_second, timeout_ms, sealed]);
  return { id, secret };
}

/** Events with their places and deliveries, in one commit, as the transaction of what happened leaves them. */
const INSERT_EVENTS = `
  with n as (
    select * from unnest($2::text[], $3::text[], $4::int[], $5::text[]) with ordinality as n (id, subject, version, body, ordinal)
  ), e as (
    insert into events (partner_id, id, body) select $1, n.id, convert_to(n.body, 'UTF8') from n
  ), f as (
    insert into event_feed (partner_id, event_id, type, subject, subject_version, transaction_id, ordinal)
    select $1, n.id, 'client.created', n.subject, n.version, (select min(id) from n), n.ordinal from n where not $8
  )
  insert into deliveries (partner_id, id, endpoint_id, event_id, event_type, test, replay_id, next_at)
  select $1, 'dlv_' || substr(n.id, 5, 10) || left(md5(n.id || w.id || coalesce($9, '')), 16), w.id, n.id, 'client.created', $8, $9, $7
  from n, unnest($6::text[]) as w (id)`;

export type TestEvent = { id: string; subject: string; version: number };
export type Publication = { endpoints: readonly string[]; test?: boolean; replay_id?: string | null; now?: Date };

/** Publishes events of these subjects and versions, in this order. */
export async function publish(
  sql: TestDatabase["sql"],
  partner_id: string,
  changes: readonly Omit<TestEvent, "id">[],
  { endpoints, test = false, replay_id = null, now = new Date() }: Publication,
): Promise<TestEvent[]> {
  const events = changes.map((change) => ({ ...change, id: newId("event", now.getTime()) }));
  const bodies = events.map(({ id, subject, version }) =>
    JSON.stringify({ id, type: "client.created", data: { subject, version } }),
  );
  await sql(INSERT_EVENTS, [
    partner_id,
    events.map(({ id }) => id),
    events.map(({ subject }) => subject),
    events.map(({ version }) => version),
    bodies,
    endpoints,
    now,
    test,
    replay_id,
  ]);
  return events;
}

/** Several changes, of as many subjects in turn as are named. */
export function changesOf(count: number, subjects: readonly string[], from = 0): Omit<TestEvent, "id">[] {
  return Array.from({ length: count }, (_, index) => ({
    subject: subjects[index % subjects.length] ?? "",
    version: from + Math.floor(index / subjects.length) + 1,
  }));
}

export type StoredDelivery = {
  id: string;
  event_id: string;
  status: string;
  attempts: number;
  error: string | null;
  response_status: number | null;
  next_at: Date;
};

export function deliveriesOf(sql: TestDatabase["sql"], endpoint_id: string): Promise<StoredDelivery[]> {
  return sql(
    "select id, event_id, status, attempts, error, response_status, next_at from deliveries where endpoint_id = $1 order by event_id",
    [endpoint_id],
  );
}

export type StoredAttempt = {
  number: number;
  status: number | null;
  error: string | null;
  response: string | null;
  duration_ms: number;
  request_headers: Record<string, string> | null;
};

export function attemptsOf(sql: TestDatabase["sql"], endpoint_id: string): Promise<StoredAttempt[]> {
  return sql(
    "select number, status, error, response, duration_ms, request_headers from delivery_attempts where endpoint_id = $1 order by started_at, number",
    [endpoint_id],
  );
}

/** Whether anything waits, without counting what may be very much. */
export async function anyPending(sql: TestDatabase["sql"], partner_id: string): Promise<boolean> {
  return (await sql("select 1 from deliveries where partner_id = $1 and status = 'pending' limit 1", [partner_id])).length > 0;
}

export async function countPending(sql: TestDatabase["sql"], endpoints: readonly string[]): Promise<number> {
  const [row] = await sql<{ count: number }>(
    "select count(*)::int as count from deliveries where endpoint_id = any($1) and status = 'pending'",
    [endpoints],
  );
  return row?.count ?? 0;
}
