import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export type TestDatabase = {
  name: string;
  owner: { host: string; port: number; user: string; database: string };
  service: { host: string; port: number; user: string; database: string };
  /** As an address, for processes of their own. */
  url(login: "owner" | "service"): string;
  /** Plain SQL as the owner, for looking at what is really there. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
};

/** A database of its own, cloned from the migrated one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { owner, service } = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asOwner(`create database ${name} template tributary`);
  const pool = new pg.Pool({ ...owner, database: name, max: 4 });
  return {
    name,
    owner: { ...owner, database: name },
    service: { ...service, database: name },
    url(login) {
      const { host, port, user } = login === "owner" ? owner : service;
      return `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows;
    },
    async drop() {
      await pool.end();
      await asOwner(`drop database ${name} with (force)`);
    },
  };
}

async function asOwner(text: string): Promise<void> {
  const { owner } = inject("postgres");
  const client = new pg.Client({ ...owner, database: "postgres" });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
