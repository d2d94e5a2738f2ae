import pg from "pg";
import { cycle, requestBytes } from "./requests.ts";
import type { FloorRow } from "./rows.ts";
import { createKeys, raiseLimits } from "./seed.ts";
import type { Stage } from "./stage.ts";

const LINKS = 200;
const PATH = "/v1/billing/payment-links";

/** Pages are opened through a proxy, so that every payer has an address, and its own limit. */
export const BILLING_SETTINGS = { TRUSTED_PROXIES: "127.0.0.1/32" };

export type Billing = { keys: string[]; paths: string[] };

const LINK = { customer: { name: "Ada Okafor" }, amount_cents: 14_280, currency: "eur", description: "Invoice 2026-118" };

/** A provider and links of the partner, made as users make them. Returns the paths of their pages. */
export async function seedBilling({ secrets, owner, login }: Stage): Promise<Billing> {
  await raiseLimits(owner, secrets.partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, 8);
  const headers = { authorization: `Bearer ${secrets.api_key}`, "content-type": "application/json" };
  const post = async (path: string, body: object) => {
    const reply = await fetch(secrets.base_url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (reply.status !== 201) throw new Error(`${path} answered ${reply.status}`);
    return (await reply.json()) as { url: string };
  };
  await post("/v1/billing/providers", { kind: "test", name: "Bench", account_id: null });
  const paths: string[] = [];
  for (let index = 0; index < LINKS; index += 1) paths.push(new URL((await post(PATH, LINK)).url).pathname);
  await owner.query("create table bench_payment_links (like payment_links including all)");
  await owner.query(`grant select, insert on bench_payment_links to ${pg.escapeIdentifier(login)}`);
  await owner.query("vacuum analyze");
  return { keys, paths };
}

let payers = 0;

/** Another payer opens a page each time. */
function openBytes(path: string): Buffer {
  payers += 1;
  const address = `198.${18 + ((payers >> 16) & 1)}.${(payers >> 8) & 255}.${payers & 255}`;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-language: en\r\nx-forwarded-for: ${address}\r\n\r\n`);
}

export function billingRows({ keys, paths }: Billing): FloorRow[] {
  const nextKey = cycle(keys);
  const nextPath = cycle(paths);
  const body = JSON.stringify(LINK);
  return [
    { name: "open the page of a payment link", goal: 0.8, floor: "pay-page", nextRequest: () => openBytes(nextPath()) },
    {
      name: "create a payment link",
      goal: 0.5,
      floor: "create-payment-link",
      nextRequest: () => requestBytes(nextKey(), "POST", PATH, body),
    },
  ];
}
