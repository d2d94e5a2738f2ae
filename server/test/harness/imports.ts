import { expect } from "vitest";
import { eventually } from "../postgres/processes.ts";
import { GENERAL, type Json, type Reply, type TestPartner, type World } from "./world.ts";

const CSV = { "content-type": "text/csv" };

/** Sends a file to be imported. */
export function sendFile(
  world: World,
  { key }: Pick<TestPartner, "key">,
  csv: string | Buffer,
  query: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<Reply> {
  const search = new URLSearchParams(query).toString();
  const headers = { ...CSV, ...more };
  return world.call("POST", `${GENERAL}/imports${search === "" ? "" : `?${search}`}`, { key, body: csv, headers });
}

/** An import as it is once nobody works on it any more. */
export function untilOver(world: World, { key }: Pick<TestPartner, "key">, id: string): Promise<Json> {
  return eventually("the import to be through", async () => {
    const { body } = await world.call("GET", `${GENERAL}/imports/${id}`, { key });
    return ["queued", "running", "reverting"].includes(body.status) ? null : body;
  });
}

/** Imports a file to its end. */
export async function importFile(
  world: World,
  partner: Pick<TestPartner, "key">,
  csv: string | Buffer,
  query?: Record<string, string>,
): Promise<Json> {
  const { status, body, text } = await sendFile(world, partner, csv, query);
  expect(status, text).toBe(202);
  return untilOver(world, partner, body.id);
}

export async function errorsOf(world: World, { key }: Pick<TestPartner, "key">, id: string): Promise<Json[]> {
  return (await world.call("GET", `${GENERAL}/imports/${id}/errors?limit=100`, { key })).body.data;
}

export async function contactsOf(world: World, { key }: Pick<TestPartner, "key">, query = ""): Promise<Json[]> {
  return (await world.call("GET", `${GENERAL}/contacts?limit=100&sort=created_at${query}`, { key })).body.data;
}
