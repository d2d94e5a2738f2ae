import { afterAll, beforeAll } from "vitest";
import type { Scope } from "../../src/kernel/scopes.ts";
import { createSealer, type Sealer } from "../../src/platform/crypto/seal.ts";
import { cleanUp } from "../postgres/processes.ts";
import { type DataDir, makeDataDir } from "./data-dir.ts";
import type { TestDatabase } from "./database.ts";
import { type Environment, killServices, type ServiceProcess, startService } from "./service-process.ts";
import { createDemoDatabase, DEMO_SECRET_KEY } from "./templates.ts";
import { BASE } from "./world.ts";

export type Cluster = {
  db: TestDatabase;
  services: ServiceProcess[];
  partner_id: string;
  /** The first run's: every scope, every client. */
  key: string;
  operator_key: string;
  /** Seals and opens what the processes do. */
  sealer: Sealer;
  /** The service that takes a turn. */
  service(turn: number): ServiceProcess;
  /** Brings one more process up, in the place of one that was killed or besides. */
  start(settings?: Environment): Promise<ServiceProcess>;
  newKey(scopes: readonly Scope[]): Promise<{ id: string; api_key: string }>;
};

/** Several processes of the service on one database, with the demo programme in it. */
export function useCluster(size: number, settings: Environment = {}): Cluster {
  const cluster = {} as Cluster;
  beforeAll(async () => {
    Object.assign(cluster, await openCluster(size, settings));
  });
  afterAll(async () => {
    await killServices();
    await cluster.db?.drop();
    await cleanUp();
  });
  return cluster;
}

/** What a process needs to join others on this database. */
export function clusterEnvironment(db: TestDatabase, data_dir: DataDir): Environment {
  return {
    DATABASE_URL: db.url("service"),
    DATABASE_OWNER_URL: db.url("owner"),
    SECRET_KEY: DEMO_SECRET_KEY,
    DATA_DIR: data_dir.path,
    SEED: "demo",
  };
}

async function openCluster(size: number, settings: Environment): Promise<Cluster> {
  const data_dir = await makeDataDir();
  const db = await createDemoDatabase(data_dir.path);
  const environment = { ...clusterEnvironment(db, data_dir), ...settings };
  const services = await Promise.all(Array.from({ length: size }, () => startService(environment)));
  const { partner_id, api_key: key, operator_key } = await data_dir.firstRun();
  const service = (turn: number) => {
    const found = services[turn % services.length];
    if (found === undefined) throw new Error("the cluster has no process");
    return found;
  };
  return {
    db,
    services,
    partner_id,
    key,
    operator_key,
    sealer: createSealer(DEMO_SECRET_KEY),
    service,
    start: (others = {}) => startService({ ...environment, ...others }),
    async newKey(scopes) {
      const asked = { key, body: { name: "Test", scopes, clients: "all" } };
      const { status, body, text } = await service(0).call("POST", `${BASE}/keys`, asked);
      if (status !== 201) throw new Error(`the key was not created: ${text}`);
      return { id: body.id, api_key: body.api_key };
    },
  };
}
