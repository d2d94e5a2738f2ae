import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { brokenBooks } from "../harness/books.ts";
import { clusterEnvironment, useCluster } from "../harness/cluster.ts";
import { runCommand } from "../harness/command.ts";
import { makeDataDir } from "../harness/data-dir.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { ADMIN, type Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const PARTNERS = sized(60, 1_000);
const KILLS = sized(2, 8);
const AMOUNT = 20_000;

const cluster = useCluster(1);
let service: ServiceProcess;
const payees: string[] = [];

async function call(method: string, path: string, body?: object): Promise<Json> {
  const reply = await service.call(method, `${ADMIN}${path}`, {
    key: cluster.operator_key,
    ...(body === undefined ? {} : { body }),
  });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

beforeAll(async () => {
  service = cluster.service(0);
  const method = { kind: "manual", holder: "Ada Okafor", instructions: "Cheque", currencies: ["usd"] };
  for (let index = 0; index < PARTNERS; index += 1) {
    const owner = { name: "Ada Okafor", email: `ada${index}@payee.example` };
    const { id } = await call("POST", "/partners", { company: `Payee ${index} Ltd`, owner });
    await call("PUT", `/partners/${id}/payout-method`, method);
    const bonus = { amount_cents: AMOUNT, currency: "usd", reason_code: "bonus", reference: "B-1" };
    await call("POST", `/partners/${id}/adjustments`, bonus);
    payees.push(id);
  }
});

const count = async (condition: string): Promise<number> =>
  (
    await cluster.db.sql<{ count: number }>(
      `select count(*)::int as count from payouts where partner_id = any ($1) and ${condition}`,
      [payees],
    )
  )[0]?.count ?? 0;

/** Kills the service each time that a further part of the payees is done, and starts it again. */
async function killDuring(condition: string): Promise<void> {
  for (let kills = 1; kills <= KILLS; kills += 1) {
    const enough = Math.floor((PARTNERS * kills) / (KILLS + 1));
    while ((await count(condition)) < enough) await sleep(2);
    await service.kill();
    service = await cluster.start();
  }
}

const finished = (path: string) =>
  eventually(`${path} to finish`, async () => {
    const body = await call("GET", path);
    return body.state === "finished" ? body : null;
  });

test(`kill -9 of the service during a payout run over ${PARTNERS} partners: everybody is paid once, nobody is left out`, async () => {
  const preview = await call("POST", "/payout-runs/preview");
  const { id } = await call("POST", "/payout-runs", { cutoff: preview.cutoff });
  await killDuring("status = 'scheduled'");
  const run = await finished(`/payout-runs/${id}`);
  expect([run.scheduled, run.blocked, run.partners_done]).toEqual([preview.scheduled, preview.blocked, run.partners_total]);
  const paid = await cluster.db.sql(
    "select partner_id, count(*)::int as payouts, sum(net_cents)::int as net_cents from payouts where partner_id = any ($1) group by 1",
    [payees],
  );
  expect(paid).toHaveLength(PARTNERS);
  expect(paid.every(({ payouts, net_cents }: Json) => payouts === 1 && net_cents === AMOUNT)).toBe(true);
  expect(await brokenBooks(cluster.db.sql)).toEqual([]);
});

test("kill -9 of the service while it makes the file for the bank: it has every payout once, and is the same each time", async () => {
  const [run] = (await call("GET", "/payout-runs?limit=1")).data;
  const { id } = await call("POST", `/payout-runs/${run.id}/export`, { format: "csv" });
  await killDuring("status = 'processing'");
  const made = await finished(`/payout-exports/${id}`);
  const file = await call("GET", `/payout-exports/${id}/file`);
  expect(await call("GET", `/payout-exports/${id}/file`)).toBe(file);
  const ids = await cluster.db.sql<{ id: string }>("select id from payouts where run_id = $1 order by partner_id", [run.id]);
  expect(made.payouts).toBe(ids.length);
  for (const payout of ids) expect(file.split(payout.id.replace("_", "-"))).toHaveLength(2);
  expect(await count("status = 'processing'")).toBe(PARTNERS);
  const verified = await runCommand(["ledger", "verify"], clusterEnvironment(cluster.db, await makeDataDir()));
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});
