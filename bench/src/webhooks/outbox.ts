import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { createSealer } from "@tributary/server/src/platform/crypto/seal.ts";
import { newWebhookSecret, secretPurpose } from "@tributary/server/src/platform/crypto/webhook-signature.ts";
import type pg from "pg";

/** An event of the usual size. */
export function eventBody(id: string): string {
  const data = { client_id: "cli_01jd3k5y5cf7m8n9p0q1r2s3t4", company: "Harbour Dental", plan: "Growth", note: "x".repeat(420) };
  return JSON.stringify({ id, type: "client.created", created: 1_794_000_000, data });
}

/** Endpoints straight in the database, switched off until `enable`. */
export async function insertEndpoints(
  owner: pg.Pool,
  data_dir: string,
  partner_id: string,
  urls: readonly string[],
  ordering: "none" | "subject" = "subject",
): Promise<string[]> {
  const sealer = createSealer(await readFile(join(data_dir, "secret.key"), "utf8"));
  const ids = urls.map(() => newId("endpoint", Date.now()));
  const secrets = ids.map((id) => sealer.seal(newWebhookSecret(), secretPurpose(id)));
  await owner.query(
    `with e as (
       insert into webhook_endpoints (partner_id, id, url, event_types, ordering, enabled, disabled_reason, disabled_at, created_by, created_at, updated_at)
       select $1, n.id, n.url, '{client.created}', $5, false, 'requested', now(), 'system', now(), now()
       from unnest($2::text[], $3::text[]) as n (id, url)
     ), s as (
       insert into webhook_secrets (partner_id, endpoint_id, secret, hint, created_at)
       select $1, n.id, n.secret, 'hint', now() from unnest($2::text[], $4::bytea[]) as n (id, secret)
     )
     insert into webhook_lanes (partner_id, endpoint_id) select $1, n.id from unnest($2::text[]) as n (id)`,
    [partner_id, ids, urls, secrets, ordering],
  );
  return ids;
}

export async function enable(owner: pg.Pool, ids: readonly string[]): Promise<void> {
  await owner.query(
    "update webhook_endpoints set enabled = true, disabled_reason = null, disabled_at = null, version = version + 1 where id = any($1)",
    [ids],
  );
}

const DEADLOCK = "40P01";

/** The endpoints go first: without them nobody writes their deliveries again, but for outcomes that are being written. */
export async function removeEndpoints(owner: pg.Pool, ids: readonly string[]): Promise<void> {
  await owner.query("delete from webhook_endpoints where id = any($1)", [ids]);
  for (let removed = false; !removed; ) {
    removed = await owner.query("delete from deliveries where endpoint_id = any($1)", [ids]).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== DEADLOCK) throw error;
        return false;
      },
    );
  }
}

/** Events with their places and deliveries, as the transaction of what happened leaves them. */
export async function publish(owner: pg.Pool, partner_id: string, count: number, endpoint_ids: readonly string[]): Promise<void> {
  const ids = Array.from({ length: count }, () => newId("event", Date.now()));
  await owner.query(
    `with n as (select * from unnest($2::text[], $3::text[]) as n (id, body)), e as (
       insert into events (partner_id, id, body) select $1, n.id, convert_to(n.body, 'UTF8') from n
     ), f as (
       insert into event_feed (partner_id, event_id, type, subject, subject_version, transaction_id, ordinal)
       select $1, n.id, 'client.created', n.id, 1, n.id, 0 from n
     )
     insert into deliveries (partner_id, id, endpoint_id, event_id, event_type, next_at)
     select $1, 'dlv_' || substr(n.id, 5, 10) || left(md5(n.id || w.id), 16), w.id, n.id, 'client.created', now()
     from n, unnest($4::text[]) as w (id)`,
    [partner_id, ids, ids.map(eventBody), endpoint_ids],
  );
}
