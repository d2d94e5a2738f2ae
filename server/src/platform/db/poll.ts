import { OPERATOR_TENANT } from "../../kernel/principal.ts";
import { isUnreachable } from "./connection.ts";
import { composedStatement, type Queryable, type Statement, statement } from "./statement.ts";

/** So long a node that could not be reached is left out before all are asked again. */
const LEFT_OUT_MS = 5_000;

const tablesStatement = statement(`
  select d.logicalrelid::text as name from pg_dist_partition d
  where d.colocationid = (select c.colocationid from pg_dist_partition c where c.logicalrelid = 'clients'::regclass)`);

const partnersStatement = statement(`
  select array_agg(t.id) as partners
  from (select p.id from partners p union all select $1) t
  join pg_dist_placement s on s.shardid = get_shard_id_for_distribution_column('clients', t.id)
  group by s.groupid`);

const probeStatement = statement("select 1 from clients c where c.partner_id = any ($1) limit 1");

type Living = { until: number; tables: string[]; nodes: string[][] };

/**
 * Asks all nodes of a cluster. A cluster answers no statement over all partners while one of its nodes cannot be reached: then the
 * statement is sent again for the partners of each of the others.
 */
export function createPoll(query: Queryable["query"]): Queryable["query"] {
  let living: Living | null = null;

  async function findLiving(): Promise<Living> {
    const tables = await query<{ name: string }>(tablesStatement);
    const nodes = [];
    for (const { partners } of await query<{ partners: string[] }>(partnersStatement, [OPERATOR_TENANT]))
      if (await answers(query(probeStatement, [partners]))) nodes.push(partners);
    return { until: performance.now() + LEFT_OUT_MS, tables: tables.map(({ name }) => name), nodes };
  }

  return async <Row>(poll: Statement, values: readonly unknown[] = []) => {
    if (living === null || living.until < performance.now()) {
      living = null;
      try {
        return await query<Row>(poll, values);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        living = await findLiving();
      }
    }
    const { tables, nodes } = living;
    const found: Row[] = [];
    for (const partners of nodes) found.push(...(await query<Row>(amongPartners(poll, tables), [...values, partners])));
    return found;
  };
}

async function answers(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (isUnreachable(error)) return false;
    throw error;
  }
}

/** What follows the name of a table and is no alias. */
const NO_ALIAS = "where|order|group|limit|join|cross|left|inner|on|union|for";

/** The statement for the partners in one more parameter: wherever it mentions a table of partners, it sees their rows alone. */
export function amongPartners({ text }: Statement, tables: readonly string[]): Statement {
  const mention = new RegExp(`\\b(from|join) (${tables.join("|")})\\b(?: (?!(?:${NO_ALIAS})\\b)(\\w+))?`, "g");
  const parameter = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))) + 1;
  const some = (_: string, word: string, table: string, alias = table) =>
    `${word} (select * from ${table} where partner_id = any ($${parameter}::text[])) ${alias}`;
  return composedStatement(
    text
      .replaceAll(/--[^\n]*\n/g, "")
      .replaceAll(/\s+/g, " ")
      .replaceAll(mention, some),
  );
}
