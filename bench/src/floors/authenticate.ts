// Floor of "authenticate only": node:http, the hash of the key, and the product's own key look-up for the requests of
// one tick together, answered from the row. No form check, no scopes, no limits, no log, no audit count.
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { findKeys } from "@tributary/server/src/features/keys/queries.ts";
import pg from "pg";
import { answer, catchQuery, readSetting, refuse, serve } from "./floor.ts";

type KeyRow = { hash: string; partner_id: string; company: string; grade: string; scopes: string };

const { statement } = await catchQuery((db) => findKeys(db)([]));
const client = new pg.Client({ ...readSetting().connection, pipeline: true });
await client.connect();

let batch: { hash: Buffer; response: ServerResponse }[] = [];

function lookUp(): void {
  const taken = batch;
  batch = [];
  client.query<KeyRow>({ ...statement, values: [taken.map(({ hash }) => hash)] }).then(
    ({ rows }) => {
      const found = new Map(rows.map((row) => [row.hash, row]));
      for (const { hash, response } of taken) answerKey(response, found.get(hash.toString("hex")));
    },
    (error: unknown) => {
      for (const { response } of taken) refuse(response, error);
    },
  );
}

function answerKey(response: ServerResponse, row: KeyRow | undefined): void {
  if (row === undefined) {
    refuse(response, "no such key");
    return;
  }
  const { partner_id, company, grade, scopes } = row;
  answer(response, 200, JSON.stringify({ partner_id, company, grade, scopes: scopes.split(" ") }));
}

serve((request, response) => {
  const key = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const hash = createHash("sha256").update(key).digest();
  if (batch.push({ hash, response }) === 1) setImmediate(lookUp);
});
