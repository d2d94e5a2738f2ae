import { readFileSync } from "node:fs";
import { TABLES } from "../harness/tables.ts";
import { isNode, type Level, levelsOf, type Mention, type Node, nameParts, nodesOf, parsed } from "./levels.ts";

/** What a statement must keep so that a cluster, with tenant tables distributed by partner_id, accepts it. */
export const RULES = {
  partner: "every mention of a tenant table has partner_id = $n in its own query level",
  recursive: "no WITH RECURSIVE",
  returning: "no subquery in RETURNING",
  functions: "only immutable functions in an INSERT, UPDATE or DELETE of a tenant table",
  local: "no local table in a statement with tenant tables",
  global_source: "no INSERT … SELECT from a global table into a tenant table",
} as const;

export type Rule = keyof typeof RULES;
export type Violation = { rule: Rule; detail: string };

/** The functions that may stand in a write of a tenant table: immutable for the argument types they are called with here. */
const IMMUTABLE = new Set([
  ...["array_append", "array_cat", "array_length", "array_position", "array_remove", "cardinality", "unnest"],
  ...["jsonb_array_elements", "jsonb_array_elements_text", "jsonb_array_length", "jsonb_each", "jsonb_each_text"],
  ...["jsonb_object_keys", "jsonb_path_query_array", "jsonb_set", "jsonb_strip_nulls", "jsonb_typeof"],
  ...["btrim", "left", "length", "lower", "octet_length", "overlay", "regexp_replace", "repeat", "replace", "right", "rtrim"],
  ...["split_part", "starts_with", "substr", "substring", "upper", "decode", "encode", "md5", "sha256"],
  ...["abs", "ceil", "div", "floor", "mod", "power", "round", "trunc"],
  ...["array_agg", "bool_and", "bool_or", "count", "max", "min", "row_number", "sum"],
  ...["generate_series", "generate_subscripts"],
  ...immutableOfTheSchema(),
]);

/** Stable, but accepted as long as all they read is a parameter: they are computed once, before the write is sent to its shard. */
const ROWS_OF_A_PARAMETER = new Set(["json_to_recordset", "jsonb_to_recordset"]);

function immutableOfTheSchema(): string[] {
  const schema = readFileSync(new URL("../../schema.sql", import.meta.url), "utf8");
  const functions = schema.matchAll(
    /^CREATE OR REPLACE FUNCTION public\.(\w+)\([^\n]*\n RETURNS [^\n]*\n LANGUAGE \w+\n( [^\n]*)?/gm,
  );
  return [...functions].filter(([, , traits = ""]) => traits.includes("IMMUTABLE")).map(([, name = ""]) => name);
}

/** The rules that a text breaks. */
export function violationsOf(text: string): Violation[] {
  return parsed(text).flatMap((statement) => {
    const levels = levelsOf(statement);
    return [
      ...levels.flatMap(partnerMissing),
      ...found(
        "recursive",
        nodesOf(statement, "withClause").filter(({ recursive }) => recursive === true),
        "WITH RECURSIVE",
      ),
      ...levels.flatMap(subqueryReturned),
      ...levels.flatMap(functionsCalled),
      ...localJoined(levels),
      ...levels.flatMap(globalInserted),
    ];
  });
}

/** The tables that a text reads and writes. */
export function tablesOf(text: string): { reads: string[]; writes: string[] } {
  const levels = parsed(text).flatMap(levelsOf);
  const known = (mentions: (Mention | null)[]) => [
    ...new Set(mentions.flatMap((mention) => (mention !== null && mention.table in TABLES ? [mention.table] : []))),
  ];
  return { reads: known(levels.flatMap(({ from }) => from)), writes: known(levels.map(({ target }) => target)) };
}

const isTenant = (mention: Mention | null): mention is Mention =>
  mention !== null && TABLES[mention.table]?.distribution === "tenant";

const found = (rule: Rule, nodes: readonly Node[], detail: string): Violation[] => (nodes.length === 0 ? [] : [{ rule, detail }]);

function partnerMissing(level: Level): Violation[] {
  const { type, target, from } = level;
  const read = type === "insert" || target === null ? from : [target, ...from];
  const alone = read.length === 1;
  const unnamed = read.filter(isTenant).filter(({ alias }) => !level.conditions.some((it) => namesPartner(it, alias, alone)));
  if (type === "insert" && isTenant(target) && !insertsPartner(level)) unnamed.push(target);
  return unnamed.map(({ table, alias }) => ({
    rule: "partner",
    detail: `${type} ${table === alias ? table : `${table} ${alias}`}`,
  }));
}

/** `alias.partner_id = $n`, or without the alias where there is no other table. */
function namesPartner({ on, of }: Level["conditions"][number], alias: string, alone: boolean): boolean {
  if (of !== "all" && !of.has(alias)) return false;
  const { kind, name, lexpr, rexpr } = (on.A_Expr ?? {}) as { kind?: string; name?: unknown; lexpr?: Node; rexpr?: Node };
  if (kind !== "AEXPR_OP" || nameParts(name).join() !== "=") return false;
  const sides = [lexpr, rexpr];
  return sides.some((side) => isPartnerOf(side, alias, alone)) && sides.some(isParameter);
}

function isPartnerOf(side: Node | undefined, alias: string, alone: boolean): boolean {
  const column = nameParts((side?.ColumnRef as Node | undefined)?.fields).join(".");
  return column === `${alias}.partner_id` || (alone && column === "partner_id");
}

function isParameter(side: Node | undefined): boolean {
  if (side === undefined) return false;
  return isNode(side.ParamRef) || (isNode(side.TypeCast) && isParameter(side.TypeCast.arg as Node));
}

/** The value for the column partner_id is a parameter in each row, or the column of a table that is bound to one. */
function insertsPartner({ node }: Level): boolean {
  const columns = ((node.cols ?? []) as Node[]).map(({ ResTarget }) => (ResTarget as { name: string }).name);
  const position = columns.indexOf("partner_id");
  const source = (node.selectStmt as Node | undefined)?.SelectStmt as Node | undefined;
  if (position === -1 || source === undefined) return false;
  const rows = (source.valuesLists ?? []) as { List: { items: Node[] } }[];
  if (rows.length > 0) return rows.every(({ List }) => isParameter(List.items[position]));
  const target = ((source.targetList ?? []) as Node[])[position]?.ResTarget as { val: Node } | undefined;
  const bound = (levelsOf({ SelectStmt: source })[0]?.from ?? []).filter(isTenant);
  return isParameter(target?.val) || bound.some(({ alias }) => isPartnerOf(target?.val, alias, bound.length === 1));
}

function subqueryReturned({ type, target, node }: Level): Violation[] {
  if (target === null || TABLES[target.table]?.distribution === "local") return [];
  return found("returning", nodesOf([node.returningList, node.returningClause], "SubLink"), `${type} ${target.table}`);
}

/** Writing CTEs are levels of their own; what a reading CTE computes for the write belongs to it. Of other tables, RETURNING counts. */
function functionsCalled({ type, target, node }: Level): Violation[] {
  if (target === null || !(target.table in TABLES) || TABLES[target.table]?.distribution === "local") return [];
  const part = isTenant(target) ? node : [node.returningList, node.returningClause];
  const refused = nodesOf(part, "FuncCall", isWrite)
    .filter((call) => !isAccepted(call))
    .map(({ funcname }) => nameParts(funcname).at(-1));
  if (nodesOf(part, "SQLValueFunction", isWrite).length > 0) refused.push("current_timestamp and the like");
  const types = nodesOf(part, "TypeCast", isWrite).map(({ typeName }) => nameParts((typeName as Node).names).at(-1));
  if (types.includes("interval")) refused.push("arithmetic with an interval");
  return [...new Set(refused)].map((name) => ({ rule: "functions", detail: `${name} in ${type} ${target.table}` }));
}

const isWrite = (name: string) => /^(Insert|Update|Delete|Merge)Stmt$/.test(name);

function isAccepted({ funcname, args }: Node): boolean {
  const name = nameParts(funcname).at(-1) ?? "";
  return IMMUTABLE.has(name) || (ROWS_OF_A_PARAMETER.has(name) && nodesOf(args, "ColumnRef").length === 0);
}

function localJoined(levels: Level[]): Violation[] {
  const mentions = levels.flatMap(({ target, from }) => (target === null ? from : [target, ...from]));
  const local = mentions.filter(({ table }) => TABLES[table]?.distribution === "local");
  return local.length > 0 && mentions.some(isTenant)
    ? [{ rule: "local", detail: local.map(({ table }) => table).join(", ") }]
    : [];
}

function globalInserted({ type, target, node }: Level): Violation[] {
  if (type !== "insert" || !isTenant(target)) return [];
  const tables = levelsOf({ source: [node.selectStmt, node.withClause] }).flatMap(({ from }) => from.map(({ table }) => table));
  const global = tables.filter((table) => TABLES[table]?.distribution === "global");
  return global.length === 0 ? [] : [{ rule: "global_source", detail: `${global.join(", ")} into ${target.table}` }];
}
