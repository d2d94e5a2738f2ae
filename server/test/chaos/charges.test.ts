import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { brokenBooks } from "../harness/books.ts";
import { clusterEnvironment, useCluster } from "../harness/cluster.ts";
import { runCommand } from "../harness/command.ts";
import { makeDataDir } from "../harness/data-dir.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { ADMIN, BASE, GENERAL, type Json } from "../harness/world.ts";

const CHARGES = sized(1_000, 10_000);
const BULK = 50;
const CLIENTS = 10;
const KILLS = sized(4, 12);
const SENDERS = 3;

const cluster = useCluster(1);

async function call(service: ServiceProcess, key: string, method: string, path: string, body?: object): Promise<Json> {
  const headers = method === "PATCH" ? { "if-match": "*" } : {};
  const reply = await service.call(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

/** Clients of sales that are won, of a partner with another one above it. */
async function wonClients(service: ServiceProcess): Promise<{ clients: string[]; parent_id: string }> {
  const { operator_key, key, partner_id } = cluster;
  const owner = { name: "Ada Okafor", email: "ada@above.example" };
  const parent = await call(service, operator_key, "POST", `${ADMIN}/partners`, { company: "Above Ltd", owner });
  await call(service, operator_key, "PATCH", `${ADMIN}/partners/${partner_id}`, { parent_id: parent.id });
  await call(service, operator_key, "PATCH", `${ADMIN}/programme`, { override_gate: 0, registration_review: "auto" });
  const clients: string[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    const sale = { company: `Charged ${index} Ltd`, plan: "Growth", mrr_cents: 10_000 };
    const { id } = await call(service, key, "POST", `${BASE}/deals`, sale);
    clients.push((await call(service, key, "POST", `${GENERAL}/deals/${id}/stage`, { stage: "Won" })).client_id);
  }
  return { clients, parent_id: parent.id };
}

/** Sends bulk calls until all are answered or the service is gone; it is killed a moment after the first answer. */
async function sendUnderFire(service: ServiceProcess, bulks: Set<object>, kill: boolean): Promise<void> {
  const waiting = [...bulks];
  let killed: Promise<void> | null = null;
  const send = async () => {
    for (let charges = waiting.shift(); charges !== undefined; charges = waiting.shift()) {
      try {
        await call(service, cluster.operator_key, "POST", `${ADMIN}/charges/bulk`, { charges });
      } catch (error) {
        if (killed === null) throw error;
        return;
      }
      bulks.delete(charges);
      if (kill) killed ??= sleep(randomInt(1, 80)).then(() => service.kill());
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  await killed;
}

test(`kill -9 of the service during ${CHARGES} charges with overrides: sent again, everything is owed once`, async () => {
  const { db, partner_id } = cluster;
  const { clients, parent_id } = await wonClients(cluster.service(0));
  const charged_at = new Date().toISOString();
  const charges = Array.from({ length: CHARGES }, (_, index) => ({
    ...{ client_id: clients[index % CLIENTS], external_id: `crash_${index}`, amount_cents: 10_000, currency: "usd", charged_at },
  }));
  const all = Array.from({ length: CHARGES / BULK }, (_, index) => charges.slice(index * BULK, (index + 1) * BULK));
  const earned = async (id: string) =>
    (await db.sql<{ sum: number }>("select sum(amount_cents)::int as sum from commissions where partner_id = $1", [id]))[0]
      ?.sum ?? 0;
  const before = [await earned(partner_id), await earned(parent_id)];
  const unanswered = new Set<object>(all);
  let service = cluster.service(0);
  for (let kills = 0; unanswered.size > 0; kills += 1) {
    if (kills > 0) service = await cluster.start();
    await sendUnderFire(service, unanswered, kills < KILLS);
  }
  // What was answered is there, and what is sent again changes nothing.
  for (const some of all) {
    const { created, unchanged } = await call(service, cluster.operator_key, "POST", `${ADMIN}/charges/bulk`, { charges: some });
    expect([created, unchanged]).toEqual([0, BULK]);
  }
  // The first charge of each client is what its win accrued already.
  const [rate] = await db.sql<{ bps: number }>(
    "select max((terms -> 'recurring' ->> 'bps')::int) as bps from earnings where partner_id = $1 and client_id = any ($2)",
    [partner_id, clients],
  );
  const further = CHARGES - CLIENTS;
  expect((await earned(partner_id)) - (before[0] ?? 0)).toBe(further * (rate?.bps ?? 0));
  expect((await earned(parent_id)) - (before[1] ?? 0)).toBe(further * 300);
  expect(await brokenBooks(db.sql)).toEqual([]);
  const verified = await runCommand(["ledger", "verify"], clusterEnvironment(db, await makeDataDir()));
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});
