import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { GENERAL, type Json } from "../harness/world.ts";

const LINKS = sized(12, 60);
const KILLS = sized(3, 10);

const cluster = useCluster(1);

/** A page of the service as a payer opens it, who is led nowhere by itself. */
async function page(service: ServiceProcess, path: string, form?: Record<string, string>): Promise<Response> {
  const options = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  return fetch(new URL(path, service.base_url), { redirect: "manual", ...options });
}

async function create(service: ServiceProcess, path: string, body: object): Promise<Json> {
  const reply = await service.call("POST", `${GENERAL}/billing/${path}`, { key: cluster.key, body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

/** Begins to pay a link and gives the card: the provider has the money, and we do not know yet. */
async function payAtProvider(service: ServiceProcess, path: string): Promise<string> {
  const text = await (await page(service, path)).text();
  const hidden = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  const begun = await page(service, `${path}/attempts`, Object.fromEntries(hidden));
  const location = new URL(begun.headers.get("location") ?? "").pathname;
  expect((await page(service, location, { card: "4242 4242 4242 4242" })).status).toBe(303);
  return location.replace("/test/", "/return/");
}

test(`kill -9 between the provider's success and our commit, ${KILLS} times: each of ${LINKS} payments is found and counted once`, async () => {
  let service = cluster.service(0);
  await create(service, "providers", { kind: "test", name: "Trial", account_id: null });
  const returns: string[] = [];
  for (let index = 0; index < LINKS; index += 1) {
    const link = await create(service, "payment-link", { customer: { name: "Ada" }, amount_cents: 1_000 });
    returns.push(await payAtProvider(service, new URL(link.url).pathname));
  }
  for (let kills = 0; kills < KILLS; kills += 1) {
    const coming = returns.slice((kills * LINKS) / KILLS, ((kills + 1) * LINKS) / KILLS);
    const answers = coming.map((path) => page(service, path).catch(() => null));
    await sleep(randomInt(1, 40));
    await service.kill();
    await Promise.all(answers);
    service = await cluster.start();
  }
  // Payers come back again, all at once and more than once.
  const answers = await Promise.all([...returns, ...returns].map((path) => page(service, path)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const [counted] = await cluster.db.sql<Json>(`
    select count(*)::int as payments, count(distinct attempt_id)::int as attempts, max(split_part(receipt_number, '-', 2)::int) as receipts,
      (select count(*)::int from payment_links where paid_cents <> 1000 or reserved_cents <> 0 or status <> 'paid') as wrong
    from payments where amount_cents = 1000`);
  expect(counted).toEqual({ payments: LINKS, attempts: LINKS, receipts: LINKS, wrong: 0 });
});
