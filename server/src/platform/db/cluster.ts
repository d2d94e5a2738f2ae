import { type Queryable, statement } from "./statement.ts";

/** A node of a cluster, with how many parts of tables it has. */
export type ClusterNode = { address: string; role: "coordinator" | "worker"; active: boolean; shards: number };

const presentStatement = statement("select to_regclass('pg_catalog.pg_dist_node') is not null as present");

const nodesStatement = statement(`
  select n.nodename || ':' || n.nodeport as address, case when n.groupid = 0 then 'coordinator' else 'worker' end as role,
    n.isactive as active, (select count(*)::int from pg_dist_placement p where p.groupid = n.groupid) as shards
  from pg_dist_node n
  where n.noderole = 'primary'
  order by n.groupid, n.nodeid`);

/** The nodes of the cluster that a database is distributed over; null where it is on one node. */
export async function clusterNodes(db: Queryable): Promise<ClusterNode[] | null> {
  const [row] = await db.query<{ present: boolean }>(presentStatement);
  if (row?.present !== true) return null;
  const nodes = await db.query<ClusterNode>(nodesStatement);
  return nodes.some(({ shards }) => shards > 0) ? nodes : null;
}

/** How far apart the workers are that have the most and the fewest parts, as a share of the most. */
export function imbalanceOf(nodes: readonly ClusterNode[]): number {
  const shards = nodes.filter(({ role }) => role === "worker").map((node) => node.shards);
  const most = Math.max(...shards);
  return most === 0 ? 0 : (most - Math.min(...shards)) / most;
}
