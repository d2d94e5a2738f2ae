import { statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Client } from "./model.ts";
import { movementsBetween } from "./movements.model.ts";

const insertStatement = statement(`
  insert into client_movements (partner_id, client_id, version, at, currency, mrr_cents, clients)
  select $1, $2, $3, $4, m.currency, m.mrr_cents, m.clients
  from unnest($5::text[], $6::bigint[], $7::int[]) as m (currency, mrr_cents, clients)`);

type Moved = Pick<Client, "partner_id" | "id" | "house" | "status" | "currency" | "mrr_cents">;

/** Records what a change of a client moves; nothing is sent where it moves nothing. `before` is null for a new client. */
export async function insertMovements(tx: Tx, before: Client | null, after: Moved): Promise<void> {
  const moved = movementsBetween(before, after);
  if (moved.length === 0) return;
  const version = (before?.version ?? 0) + 1;
  const columns = [moved.map((m) => m.currency), moved.map((m) => m.mrr_cents), moved.map((m) => m.clients)];
  await tx.query(insertStatement, [after.partner_id, after.id, version, tx.now, ...columns]);
}
