import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startCommand, textOfBackup } from "../harness/backup.ts";
import { clusterEnvironment, useCluster } from "../harness/cluster.ts";
import { makeDataDir } from "../harness/data-dir.ts";
import type { TestDatabase } from "../harness/database.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { GENERAL, type Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const LINKS = sized(12, 60);
const KILLS = sized(3, 10);

const RECONCILED_WITHIN_MS = 150_000;

const cluster = useCluster(1, { LOG_LEVEL: "debug" });
/** Every process that there was: what it has logged can still be read. */
const processes: ServiceProcess[] = [];

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
  expect(begun.status).toBe(303);
  const location = new URL(begun.headers.get("location") ?? "", service.base_url).pathname;
  expect((await page(service, location, { card: "4242 4242 4242 4242" })).status).toBe(303);
  return location.replace("/test/", "/return/");
}

test(`kill -9 between the provider's success and our commit, ${KILLS} times: each of ${LINKS} payments is found and counted once`, async () => {
  let service = cluster.service(0);
  processes.push(service);
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
    processes.push(service);
  }
  // One payer of three never comes back: the job that asks the provider finds that payment. Its time comes early here.
  const back = returns.filter((_, index) => index % 3 > 0);
  // The others come back again, all at once and more than once.
  const answers = await Promise.all([...back, ...back].map((path) => page(service, path)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await cluster.db.sql("update payment_attempts set next_look_at = created_at where state <> 'succeeded'");
  await eventually(
    "the reconciler",
    async () => {
      const [left] = await cluster.db.sql<Json>("select count(*)::int as count from payment_attempts where state <> 'succeeded'");
      return left.count === 0 ? true : null;
    },
    RECONCILED_WITHIN_MS,
  );
  const [counted] = await cluster.db.sql<Json>(`
    select count(*)::int as payments, count(distinct attempt_id)::int as attempts, max(split_part(receipt_number, '-', 2)::int) as receipts,
      (select count(*)::int from payment_links where total_cents = 1000 and (paid_cents <> 1000 or reserved_cents <> 0 or status <> 'paid')) as wrong
    from payments where amount_cents = 1000`);
  expect(counted).toEqual({ payments: LINKS, attempts: LINKS, receipts: LINKS, wrong: 0 });
});

const tablesOf = (db: TestDatabase) =>
  db.sql<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );

test("the number of a card is neither in the database nor in a backup nor in the logs", async () => {
  const service = processes.at(-1) as ServiceProcess;
  const link = await create(service, "payment-link", { customer: { name: "Ada" }, amount_cents: 2_000 });
  const path = new URL(link.url).pathname;
  const back = await payAtProvider(service, path);
  const unknown = await page(service, back.replace("/return/", "/test/"), { card: "4111 1111 1111 1111" });
  expect(unknown.status).toBeLessThan(500);
  // The number is where nobody expects one, too.
  await page(service, `${path}?card=4242424242424242`);
  const data_dir = await makeDataDir();
  const file = join(data_dir.path, "cards.backup");
  const { stdout, stderr, code } = await startCommand(["backup", file], clusterEnvironment(cluster.db, data_dir)).ended;
  expect(code, stderr).toBe(0);
  const backup = await textOfBackup(await readFile(file));
  expect(backup).toContain(link.id);
  const logged = processes.flatMap((one) => [one.stdout(), one.stderr()]).join("\n");
  expect(logged).toContain("pay.begin");
  expect(logged).toContain("pay.test");
  const NUMBER = /4242424242424242|4111111111111111/;
  for (const text of [backup, logged, stdout, stderr]) expect(text.replaceAll(/[ +-]|%20/g, "")).not.toMatch(NUMBER);
  for (const { name } of await tablesOf(cluster.db))
    expect(
      await cluster.db.sql(`select 1 from ${name} t where regexp_replace(t::text, '[ -]', '', 'g') ~ $1`, [NUMBER.source]),
      name,
    ).toEqual([]);
});
