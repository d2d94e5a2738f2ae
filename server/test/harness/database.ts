import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export type TestDatabase = {
  name: string;
  owner: { host: string; port: number; user: string; database: string };
  service: { host: string; port: number; user: string; database: string };
  /** As an address, for processes of their own. */
  url(login: "owner" | "service"): string;
  /** A session of the owner, for the caller to end. */
  connect(): Promise<pg.Client>;
  /** Plain SQL as the owner, for looking at what is really there. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
};

/** A database of its own, cloned from the migrated one, or empty for tests of the migration itself. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const { owner, service } = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name} template ${migrated ? "tributary" : "template1"} owner ${owner.user}`);
  const pool = new pg.Pool({ ...owner, database: name, max: 4 });
  // A session that is cut while idle is no fault of the test that looks at the database with it.
  pool.on("error", () => undefined);
  return {
    name,
    owner: { ...owner, database: name },
    service: { ...service, database: name },
    url(login) {
      const { host, port, user } = login === "owner" ? owner : service;
      return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
    },
    async connect() {
      const client = new pg.Client({ ...owner, database: name });
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows;
    },
    async drop() {
      await pool.end();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

/** As the superuser: only that one may cut sessions that a killed process of the service has left. */
async function administer(text: string): Promise<void> {
  const { owner } = inject("postgres");
  const client = new pg.Client({ ...owner, user: "postgres", database: "postgres" });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
