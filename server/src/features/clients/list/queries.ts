import { LIMIT_MAX } from "../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { ClientStatus } from "../model.ts";
import { CLIENT_JSON } from "../queries.ts";
import type { ClientSort } from "./schema.ts";

type Sort = {
  descending: boolean;
  /** What comes before the id; ids alone are in the order of creation. */
  by: string | null;
  /** The same as a cursor holds it. */
  held: string;
};

const SORTS: Record<ClientSort, Sort> = {
  "-created_at": { descending: true, by: null, held: "null" },
  created_at: { descending: false, by: null, held: "null" },
  company: { descending: false, by: "lower(c.company)", held: "lower(c.company)" },
  "-company": { descending: true, by: "lower(c.company)", held: "lower(c.company)" },
  "-updated_at": { descending: true, by: "c.updated_at", held: "(extract(epoch from c.updated_at) * 1000)::bigint" },
};

export type ClientListFilter = {
  sort: ClientSort;
  include_house: boolean;
  status?: readonly ClientStatus[] | undefined;
  plan?: readonly string[] | undefined;
  tag?: readonly string[] | undefined;
  external_id?: string | undefined;
  q?: string | undefined;
  /** Ids are time-ordered, so a range of time is a range of ids. */
  from_id: string | null;
  before_id: string | null;
  /** The last row of the page before: its sort value, if the sort has one, and its id. */
  after: readonly (string | Date)[] | null;
  limit: number;
};

/**
 * A page of clients and one more to tell whether the list goes on. Only the filters given are in the statement, so that
 * each form gets the plan of its own index. The inner limit, the longest page there is, tells the planner that any page
 * is short: without it every call was planned anew, which was a quarter of its cost.
 */
export async function clientsPage(db: Queryable, scope: TenantScope, filter: ClientListFilter) {
  const values: unknown[] = [scope.partner_id, filter.limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const sort = SORTS[filter.sort];
  const direction = sort.descending ? "desc" : "asc";
  const order = [...(sort.by === null ? [] : [sort.by]), "c.id"].map((column) => `${column} ${direction}`).join(", ");
  const conditions = [...conditionsOf(filter, boundClients(scope), place), ...afterOf(filter, sort, place)];
  return db.query<{ id: string; held: string | number | null; json: string }>(
    statement(`
  select c.id, ${sort.held} as held, ${CLIENT_JSON} as json
  from (
    select * from clients c
    where ${["c.partner_id = $1", ...conditions].join(" and ")}
    order by ${order}
    limit ${LIMIT_MAX + 1}
  ) c join partners p on p.id = c.partner_id
  order by ${order}
  limit $2`),
    values,
  );
}

type Place = (value: unknown) => string;

function conditionsOf(filter: ClientListFilter, bound: readonly string[] | null, place: Place): string[] {
  const { status, plan, tag, external_id, q, from_id, before_id } = filter;
  const conditions: string[] = [];
  if (bound !== null) conditions.push(`c.id = any (${place(bound)})`);
  if (!filter.include_house) conditions.push("not c.house");
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (plan !== undefined) conditions.push(anyOf("c.plan", plan, place));
  if (tag !== undefined) conditions.push(`c.tags && ${place(tag)}`);
  if (external_id !== undefined) conditions.push(`c.external_id = ${place(external_id)}`);
  if (q !== undefined) {
    conditions.push(`client_search_text(c.company, c.external_id, c.contact) like lower(${place(`%${escapeLike(q)}%`)})`);
  }
  if (from_id !== null) conditions.push(`c.id >= ${place(from_id)}`);
  if (before_id !== null) conditions.push(`c.id < ${place(before_id)}`);
  return conditions;
}

/** One value is compared with `=`, which an index by (value, id) answers in order. */
function anyOf(column: string, wanted: readonly string[], place: Place): string {
  return wanted.length === 1 ? `${column} = ${place(wanted[0])}` : `${column} = any (${place(wanted)})`;
}

function afterOf({ after }: ClientListFilter, { by, descending }: Sort, place: Place): string[] {
  if (after === null) return [];
  const columns = by === null ? "c.id" : `(${by}, c.id)`;
  const position = after.map(place).join(", ");
  return [`${columns} ${descending ? "<" : ">"} ${by === null ? position : `(${position})`}`];
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
