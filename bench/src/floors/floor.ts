import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TenantScope } from "@tributary/server/src/kernel/principal.ts";
import type { Query, Queryable, Statement } from "@tributary/server/src/platform/db/statement.ts";
import pg from "pg";
import { cycle } from "../requests.ts";

/** What every floor is told about the database that it shares with the service. */
export type Setting = { connection: pg.ClientConfig; partner_id: string };

export const POOL_SIZE = 16;
/** For reads by key, as the product has it. */
export const ONE_PLAN = { pipeline: true, options: "-c plan_cache_mode=force_generic_plan" };

export function readSetting(): Setting {
  return JSON.parse(process.argv[2] ?? "") as Setting;
}

/** Serves until the parent goes away, which it tells the port. */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("disconnect", () => process.exit(0));
}

export function answer(response: ServerResponse, status: number, json: string): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(json) });
  response.end(json);
}

/** Any failure fails the whole run: a floor that answers errors would be a fast one. */
export function refuse(response: ServerResponse, error: unknown): void {
  answer(response, 500, JSON.stringify({ error: String(error) }));
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The statement that the product sends, caught on its way: floor and product cannot drift apart. */
export async function catchQuery(ask: (db: Queryable) => Promise<unknown>): Promise<Query> {
  const caught: Query[] = [];
  const db: Queryable = {
    async query(statement, values = []) {
      caught.push({ statement, values });
      return [];
    },
  };
  await ask(db);
  const [query] = caught;
  if (query === undefined) throw new Error("no statement was sent");
  return query;
}

const ID = "the id";

/** Answers a GET of one thing with the product's own select by primary key, over two pipelined connections like its reads. */
export async function serveOne(ask: (db: Queryable, scope: TenantScope, id: string) => Promise<unknown>): Promise<void> {
  const { connection, partner_id } = readSetting();
  const { statement, values } = await catchQuery((db) => ask(db, { partner_id, clients: "all" }, ID));
  const clients = [0, 1].map(() => new pg.Client({ ...connection, ...ONE_PLAN }));
  await Promise.all(clients.map((client) => client.connect()));
  const nextClient = cycle(clients);
  serve((request, response) => {
    const id = request.url?.slice(request.url.lastIndexOf("/") + 1);
    nextClient()
      .query<{ json: string }>({ ...statement, values: values.map((value) => (value === ID ? id : value)) })
      .then(
        ({ rows }) => answer(response, 200, rows[0]?.json ?? ""),
        (error: unknown) => refuse(response, error),
      );
  });
}

/** Answers every request with the first page of a list, by the product's own statement through a pool. */
export async function serveList(limit: number, ask: (db: Queryable, scope: TenantScope) => Promise<unknown>): Promise<void> {
  const { connection, partner_id } = readSetting();
  const { statement, values } = await catchQuery((db) => ask(db, { partner_id, clients: "all" }));
  const pool = new pg.Pool({ ...connection, max: POOL_SIZE });
  serve((_request, response) => {
    pool.query<{ json: string }>({ ...statement, values: [...values] }).then(
      ({ rows }) => {
        const data = rows.slice(0, limit).map(({ json }) => json);
        answer(response, 200, `{"data":[${data.join(",")}],"has_more":${rows.length > limit},"next_cursor":null}`);
      },
      (error: unknown) => refuse(response, error),
    );
  });
}

/** Answers a POST with what a write gives for its body. */
export function serveWrite(status: number, write: (body: string) => Promise<string>): void {
  serve((request, response) => {
    readBody(request)
      .then(write)
      .then(
        (json) => answer(response, status, json),
        (error: unknown) => refuse(response, error),
      );
  });
}

/** A pool that sends the product's statements to a table of the same shape. */
export function elsewhere(table: string): Queryable {
  const pool = new pg.Pool({ ...readSetting().connection, max: POOL_SIZE });
  return {
    async query<Row>({ name, text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
      const moved = text.replace(`insert into ${table}`, `insert into bench_${table}`);
      return (await pool.query({ name, text: moved, values: [...values] })).rows as Row[];
    },
  };
}
