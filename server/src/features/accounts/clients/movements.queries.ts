import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Client } from "./model.ts";
import { movementsBetween } from "./movements.model.ts";

const insertMoved = insertRows("client_movements", [
  ["client_id", "text"],
  ["version", "int"],
  ["at", "timestamptz"],
  ["currency", "text"],
  ["mrr_cents", "bigint"],
  ["clients", "int"],
]);

type Moved = Pick<Client, "partner_id" | "id" | "house" | "status" | "currency" | "mrr_cents">;

/** Records what a change of a client moves; nothing is sent where it moves nothing. `before` is null for a new client. */
export function insertMovements(tx: Tx, before: Client | null, after: Moved): void {
  const moved = movementsBetween(before, after);
  if (moved.length === 0) return;
  const version = (before?.version ?? 0) + 1;
  const rows = moved.map(({ currency, mrr_cents, clients }) => [after.id, version, tx.now, currency, mrr_cents, clients]);
  tx.send(insertMoved(after.partner_id, rows));
}
