import { createHmac } from "node:crypto";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import pg from "pg";
import { cycle, requestBytes } from "./requests.ts";
import type { FloorRow } from "./rows.ts";
import { createKeys, raiseLimits } from "./seed.ts";
import type { Stage } from "./stage.ts";

const LINKS = 200;
const PATH = "/v1/billing/payment-links";

/** Pages are opened through a proxy, so that every payer has an address, and its own limit. */
export const BILLING_SETTINGS = { TRUSTED_PROXIES: "127.0.0.1/32" };

export const WEBHOOK_SECRET = "whsec_of_the_benchmark";

export type Billing = { keys: string[]; paths: string[]; hook_path: string; references: string[] };

const LINK = { customer: { name: "Ada Okafor" }, amount_cents: 14_280, currency: "eur", description: "Invoice 2026-118" };

/** Providers and links of the partner, made as users make them, and attempts that are settled. */
export async function seedBilling({ secrets, owner, login }: Stage): Promise<Billing> {
  await raiseLimits(owner, secrets.partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, 8);
  const headers = { authorization: `Bearer ${secrets.api_key}`, "content-type": "application/json" };
  const post = async (path: string, body: object) => {
    const reply = await fetch(secrets.base_url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (reply.status !== 201) throw new Error(`${path} answered ${reply.status}`);
    return (await reply.json()) as { id: string; url: string; hook_path: string };
  };
  await post("/v1/billing/providers", { kind: "test", name: "Bench", account_id: null });
  const sealed = { secret_key: "sk_test_of_the_benchmark", webhook_secret: WEBHOOK_SECRET };
  // It starts nothing, so that pages lead to the test provider.
  const paused = { account_id: null, status: "paused", secrets: sealed };
  const stripe = await post("/v1/billing/providers", { kind: "stripe", name: "Stripe", ...paused });
  const links: { id: string; url: string }[] = [];
  for (let index = 0; index < LINKS; index += 1) links.push(await post(PATH, LINK));
  for (const table of ["payment_links", "provider_events"]) {
    await owner.query(`create table bench_${table} (like ${table} including all)`);
    await owner.query(`grant select, insert on bench_${table} to ${pg.escapeIdentifier(login)}`);
  }
  const attempt_ids = links.map(() => newId("payment_attempt", Date.now()));
  await owner.query(
    `insert into payment_attempts (partner_id, id, account_id, link_id, provider_id, provider_kind, provider_ref, amount_cents, currency,
       state, created_at, state_at, next_look_at)
     select $1, s.id, l.account_id, l.id, $4, 'stripe', 'cs_test_' || s.id, l.total_cents, l.currency, 'succeeded', now(), now(), now()
     from unnest($2::text[], $3::text[]) as s (id, link_id) join payment_links l on l.partner_id = $1 and l.id = s.link_id`,
    [secrets.partner_id, attempt_ids, links.map(({ id }) => id), stripe.id],
  );
  await owner.query("vacuum analyze");
  return {
    keys,
    paths: links.map(({ url }) => new URL(url).pathname),
    hook_path: stripe.hook_path,
    references: attempt_ids.map((id) => `${secrets.partner_id}.${id}`),
  };
}

let callers = 0;

/** Another address each time. */
function nextAddress(): string {
  callers += 1;
  return `198.${18 + ((callers >> 16) & 1)}.${(callers >> 8) & 255}.${callers & 255}`;
}

function openBytes(path: string): Buffer {
  const address = nextAddress();
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-language: en\r\nx-forwarded-for: ${address}\r\n\r\n`);
}

/** Stripe tells, signed, that a session is complete. Mostly the payer has come back before, so that it is settled. */
function eventBytes(path: string, reference: string): Buffer {
  const address = nextAddress();
  const session = { id: `cs_test_${callers}`, object: "checkout.session", status: "complete", payment_status: "paid" };
  const money = { amount_total: LINK.amount_cents, currency: LINK.currency, payment_intent: `pi_${callers}` };
  const object = { ...session, ...money, client_reference_id: reference, metadata: {}, customer_details: LINK.customer };
  const body = JSON.stringify({ id: `evt_${callers}`, object: "event", type: "checkout.session.completed", data: { object } });
  const at_s = Math.floor(Date.now() / 1000);
  const mac = createHmac("sha256", WEBHOOK_SECRET).update(`${at_s}.${body}`).digest("hex");
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  return Buffer.from(`${head}\r\nstripe-signature: t=${at_s},v1=${mac}\r\nx-forwarded-for: ${address}\r\n\r\n${body}`);
}

export function billingRows({ keys, paths, hook_path, references }: Billing): FloorRow[] {
  const nextKey = cycle(keys);
  const nextPath = cycle(paths);
  const nextReference = cycle(references);
  const body = JSON.stringify(LINK);
  return [
    { name: "open the page of a payment link", goal: 0.8, floor: "pay-page", nextRequest: () => openBytes(nextPath()) },
    {
      name: "create a payment link",
      goal: 0.5,
      floor: "create-payment-link",
      nextRequest: () => requestBytes(nextKey(), "POST", PATH, body),
    },
    {
      name: "take an event of Stripe",
      goal: 0.4,
      floor: "provider-event",
      nextRequest: () => eventBytes(hook_path, nextReference()),
    },
  ];
}
