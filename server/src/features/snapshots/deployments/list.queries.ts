import { listIdentity, pageOf } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { parsedRow, rowJson } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { Deployment, type DeploymentListQuery, Installed, type InstalledShown, type InstallListQuery } from "./schema.ts";

const DEPLOYMENT_JSON = rowJson(Deployment, {
  version: "c.snapshot_version",
  conflict_policy: "c.policy",
  conflicts: "coalesce(c.conflicts, '[]')",
});

const deploymentStatement = statement(`
  select ${DEPLOYMENT_JSON} as json from deployments c
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.client_id = any ($3))`);

/** A deployment within the caller's scope, without its steps. */
export async function deploymentOrNull(db: Queryable, scope: TenantScope, id: string) {
  return parsedRow<Deployment>(await db.query(deploymentStatement, [scope.partner_id, id, boundClients(scope)]));
}

export function deploymentsPage(db: Queryable, scope: TenantScope, query: DeploymentListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  const { client_id, snapshot_id, rollout_id, status } = filter;
  const accounts = requestedAccounts(scope, client_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("deployments", filter),
      table: "deployments",
      json: DEPLOYMENT_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...createdWithin("deployment", filter, place),
        ...(accounts === null ? [] : [anyOf("c.client_id", accounts, place)]),
        ...(snapshot_id === undefined ? [] : [`c.snapshot_id = ${place(snapshot_id)}`]),
        ...(rollout_id === undefined ? [] : [`c.rollout_id = ${place(rollout_id)}`]),
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
      ],
    },
    query,
  );
}

const INSTALLED_JSON = rowJson(Installed, {
  company: "a.company",
  name: "s.name",
  latest_version: "s.latest_version",
  drift: "null",
  differences: "null",
});

const installedWhere = (condition: string) => `
  select c.client_id, c.snapshot_id, c.version, ${INSTALLED_JSON} as json
  from snapshot_installs c
    join snapshots s on s.partner_id = $1 and s.id = c.snapshot_id
    join clients a on a.partner_id = $1 and a.id = c.client_id
  where c.partner_id = $1 and c.version is not null and ${condition}`;

const ofClientStatement = statement(`${installedWhere("c.client_id = $2")} order by c.snapshot_id`);

const ofSnapshotStatement = statement(`
  ${installedWhere(`c.snapshot_id = $2 and ($3::int is null or c.version = $3) and ($4::text[] is null or c.client_id = any ($4))
    and ($5::int is null or (c.version, c.client_id) > ($5, $6::text))`)}
  order by c.version, c.client_id limit $7`);

export type InstalledRow = Pick<InstalledShown, "client_id" | "snapshot_id" | "version"> & { json: string };

/** What runs in an account. */
export function installedAt(db: Queryable, partner_id: string, client_id: string): Promise<InstalledRow[]> {
  return db.query(ofClientStatement, [partner_id, client_id]);
}

/** The accounts within the caller's scope that run a snapshot, those furthest behind first. `show` completes what is shown of each. */
export function installsPage(
  db: Queryable,
  scope: TenantScope,
  snapshot_id: string,
  query: InstallListQuery,
  show: (rows: InstalledRow[]) => Promise<InstalledRow[]>,
): Promise<{ json: string }> {
  const { version = null } = query;
  const values = [scope.partner_id, snapshot_id, version, boundClients(scope)];
  return pageOf(
    listIdentity("snapshot-installs", { snapshot_id, version }),
    query,
    ["number", "string"],
    async (position, limit) => {
      // A number of a forged cursor may be too large for the column.
      const [after = null, client_id = null] = position === null ? [] : [Math.min(Number(position[0]), 2 ** 31 - 1), position[1]];
      return show(await db.query<InstalledRow>(ofSnapshotStatement, [...values, after, client_id, limit + 1]));
    },
    ({ version, client_id }) => [version, client_id],
  );
}
