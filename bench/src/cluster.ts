import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addressesOf, prepareClusterDatabase, startCitus } from "@tributary/server/test/harness/citus.ts";
import { contactRows, seedContacts } from "./contacts.ts";
import { countTogether, openCounter } from "./counts.ts";
import { dealRows, seedDeals } from "./deals.ts";
import { benchRows, type Row } from "./rows.ts";
import { seedClients } from "./seed.ts";
import type { Server, Stage } from "./stage.ts";

const DATABASE = "bench";

/** A coordinator and two workers on this machine, as durable as one PostgreSQL. */
export async function startCluster(bin: string, dataDir: string): Promise<Server> {
  const folder = join(dataDir, "cluster");
  await mkdir(folder);
  const cluster = await startCitus(bin, folder, {});
  const { owner, service } = await prepareClusterDatabase(cluster, DATABASE);
  const environment = {
    ...addressesOf(cluster, DATABASE),
    SECRET_KEY: "the secret key of a benchmark on a cluster",
    METRICS_ACCESS: "public",
  };
  const nodes = [cluster.coordinator, ...cluster.workers];
  const counter = countTogether(
    await Promise.all(nodes.map(({ port, folder: data }) => openCounter({ socket: folder, port, data }))),
  );
  return { owner, service, environment, counter, stop: () => counter.close().then(cluster.stop) };
}

/** The requests of clients, contacts and deals: of a cluster, and as their floor those of one node. */
export async function clusterRows(three: Stage, one: Stage, count: number): Promise<Row[]> {
  const ours = await rowsOf(three, count);
  const floors = await rowsOf(one, count);
  return ours.map((row, index) => ({
    ...row,
    name: `cluster: ${row.name}`,
    goal: null,
    floorRequest: (floors[index] ?? row).nextRequest,
  }));
}

async function rowsOf(stage: Stage, count: number): Promise<Row[]> {
  const { keys, ...book } = await seedContacts(stage, count);
  const client_ids = await seedClients(stage.owner, stage.secrets.partner_id, count);
  await stage.owner.query("vacuum analyze clients");
  return [...benchRows(keys, client_ids), ...contactRows({ keys, ...book }), ...dealRows(keys, await seedDeals(stage))];
}
