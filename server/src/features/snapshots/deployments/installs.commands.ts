import { notFound } from "../../../kernel/errors.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { Context } from "../../../platform/record/context.ts";
import { accountsWithin } from "../../accounts/clients/index.ts";
import { ASSETS, getSnapshot, type Manifest } from "../catalogue/index.ts";
import { manifestsOf } from "./batch.commands.ts";
import { type Difference, differencesOf, driftOf } from "./drift.model.ts";
import { type InstalledRow, installedAt, installsPage } from "./list.queries.ts";
import { stateInPositions } from "./positions.model.ts";
import type { InstallListQuery } from "./schema.ts";
import { readAccounts, surveyAccounts } from "./survey.commands.ts";

/** What runs in an account, with what the client has changed. */
export async function listInstalled(ctx: Context, client_id: string): Promise<{ json: string }> {
  const { partner_id } = ctx.scope;
  if ((await accountsWithin(ctx.db, ctx.scope, [client_id])).length === 0) notFound(client_id);
  const rows = await withDrift(ctx.db, partner_id, await installedAt(ctx.db, partner_id, client_id));
  return { json: `{"data":[${rows.map(({ json }) => json).join(",")}],"has_more":false,"next_cursor":null}` };
}

/** A page of the accounts that run a snapshot, with what their clients have changed. */
export async function listInstalls(ctx: Context, snapshot_id: string, query: InstallListQuery): Promise<{ json: string }> {
  await getSnapshot(ctx, snapshot_id);
  const { db, scope } = ctx;
  return installsPage(db, scope, snapshot_id, query, (rows) => withDrift(db, scope.partner_id, rows));
}

async function withDrift(db: Queryable, partner_id: string, rows: readonly InstalledRow[]): Promise<InstalledRow[]> {
  const bySnapshot = Map.groupBy(rows, ({ snapshot_id }) => snapshot_id);
  const found = await Promise.all(
    [...bySnapshot].map(async ([snapshot_id, some]) => {
      const ids = some.map(({ client_id }) => client_id);
      return [snapshot_id, await differencesAt(db, partner_id, snapshot_id, ids)] as const;
    }),
  );
  const differences = new Map(found);
  return rows.map((row) => {
    const own = differences.get(row.snapshot_id)?.get(row.client_id) ?? [];
    return { ...row, json: JSON.stringify({ ...JSON.parse(row.json), drift: driftOf(own), differences: own }) };
  });
}

/** What some accounts have otherwise than a snapshot brought it, compared once for all that are in the same state. */
async function differencesAt(
  db: Queryable,
  partner_id: string,
  snapshot_id: string,
  client_ids: readonly string[],
): Promise<Map<string, Difference[]>> {
  const surveys = await surveyAccounts(db, { partner_id, ids: client_ids }, snapshot_id);
  const groups = [...Map.groupBy(surveys, ({ state_hash }) => state_hash).values()];
  const ids = groups.flatMap(([first]) => first?.client_id ?? []);
  const [records, manifests] = await Promise.all([
    readAccounts(db, { partner_id, ids }),
    manifestsOf(db, partner_id, snapshot_id, surveys),
  ]);
  const pairs = groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined || first.install === null) return [];
    const state = stateInPositions(records.get(first.client_id) ?? {}, first.positions);
    const differences = differencesOf(ASSETS, first.install, state, (version) => manifests.get(version) as Manifest);
    return group.map(({ client_id }) => [client_id, differences] as const);
  });
  return new Map(pairs);
}
