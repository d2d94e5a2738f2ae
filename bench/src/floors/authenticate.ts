// Floor of "authenticate only": node:http, the hash of the key, and the product's own look-up for the keys of one tick
// together, answered from the row. No form check, no scopes, no limits, no log, no audit count.
import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { findKeys } from "@tributary/server/src/features/programme/keys/lookup.queries.ts";
import { systemClock } from "@tributary/server/src/kernel/clock.ts";
import pg from "pg";
import { answer, catchQuery, ONE_PLAN, readSetting, refuse, serve } from "./floor.ts";

type KeyRow = { ordinal: number; partner_id: string; company: string; grade: string; scopes: string };

const { statement } = await catchQuery((db) => findKeys(db, systemClock, () => undefined)([]));
const client = new pg.Client({ ...readSetting().connection, ...ONE_PLAN });
await client.connect();

let batch = new Map<string, ServerResponse[]>();

function lookUp(): void {
  const asked = [...batch];
  batch = new Map();
  const hashes = asked.map(([key]) => hash("sha256", key, "buffer"));
  client.query<KeyRow>({ ...statement, values: [hashes, hashes.map(() => "127.0.0.1"), new Date()] }).then(
    ({ rows }) => {
      const found = new Map(rows.map((row) => [row.ordinal, row]));
      for (const [index, [, responses]] of asked.entries()) answerKey(responses, found.get(index + 1));
    },
    (error: unknown) => {
      for (const [, responses] of asked) for (const response of responses) refuse(response, error);
    },
  );
}

function answerKey(responses: ServerResponse[], row: KeyRow | undefined): void {
  for (const response of responses) {
    if (row === undefined) refuse(response, "no such key");
    else answer(response, 200, JSON.stringify(shown(row)));
  }
}

function shown({ partner_id, company, grade, scopes }: KeyRow) {
  return { partner_id, company, grade, scopes: scopes.split(" ") };
}

serve((request, response) => {
  const key = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const waiting = batch.get(key);
  if (waiting !== undefined) return void waiting.push(response);
  if (batch.size === 0) setImmediate(lookUp);
  batch.set(key, [response]);
});
