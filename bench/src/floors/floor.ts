import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Query, Queryable } from "@tributary/server/src/platform/db/statement.ts";
import type pg from "pg";

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
