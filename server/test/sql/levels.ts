import { loadModule, parseSync } from "libpg-query";

await loadModule();

/** A node of PostgreSQL's parse tree, as libpg-query gives it: wrapped by its type, or bare where the type is fixed. */
export type Node = { readonly [name: string]: unknown };

/** A table that a query level mentions: by name, and what the level calls it. */
export type Mention = { table: string; alias: string };

/** One SELECT, INSERT, UPDATE or DELETE with its own FROM and WHERE; subqueries and CTEs are levels of their own. */
export type Level = {
  type: "select" | "insert" | "update" | "delete" | "merge";
  node: Node;
  /** The table that it writes. */
  target: Mention | null;
  /** The tables that it reads, the CTEs in scope left out. */
  from: Mention[];
  /** What must hold of its rows, each condition by itself. */
  conditions: { on: Node; of: "all" | ReadonlySet<string> }[];
};

const LEVELS = {
  SelectStmt: "select",
  InsertStmt: "insert",
  UpdateStmt: "update",
  DeleteStmt: "delete",
  MergeStmt: "merge",
} as const;

/** The parse tree of each statement in the text. */
export function parsed(text: string): Node[] {
  return (parseSync(text).stmts ?? []).map(({ stmt }) => stmt as Node);
}

/** All query levels of a statement, the outer one first. */
export function levelsOf(statement: Node): Level[] {
  const levels: Level[] = [];
  visit(statement, new Set(), levels);
  return levels;
}

function visit(value: unknown, ctes: ReadonlySet<string>, levels: Level[]): void {
  if (Array.isArray(value)) for (const item of value) visit(item, ctes, levels);
  else if (isNode(value)) {
    for (const [name, member] of Object.entries(value)) {
      const type = LEVELS[name as keyof typeof LEVELS];
      if (type === undefined) visit(member, ctes, levels);
      else visitLevel(type, member as Node, ctes, levels);
    }
  }
}

function visitLevel(type: Level["type"], node: Node, outer: ReadonlySet<string>, levels: Level[]): void {
  const ctes = new Set(outer);
  const { withClause, larg, rarg, ...own } = node as {
    withClause?: { recursive?: boolean; ctes: Node[] };
    larg?: Node;
    rarg?: Node;
  };
  const common = (withClause?.ctes ?? []).map(({ CommonTableExpr }) => CommonTableExpr as { ctename: string; ctequery: Node });
  if (withClause?.recursive === true) for (const { ctename } of common) ctes.add(ctename);
  const nested: Level[] = [];
  for (const { ctename, ctequery } of common) {
    visit(ctequery, ctes, nested);
    ctes.add(ctename);
  }
  const from = [...((node.fromClause ?? node.usingClause ?? []) as Node[])];
  const level: Level = { type, node, target: null, from: [], conditions: [] };
  if (type !== "select") level.target = mentionOf(node.relation as Node);
  for (const item of from) collect(item, level);
  level.from = level.from.filter(({ table }) => !ctes.has(table));
  for (const on of conjuncts(node.whereClause)) level.conditions.push({ on, of: "all" });
  levels.push(level);
  // The two sides of a union are bare, without the name of their type.
  for (const side of [larg, rarg]) if (side !== undefined) visitLevel("select", side, ctes, nested);
  visit(own, ctes, nested);
  levels.push(...nested);
}

/** Notes the tables of an item of FROM and the conditions of its joins; gives the aliases that it contains. */
function collect(item: Node, level: Level): string[] {
  if (isNode(item.RangeVar)) {
    const mention = mentionOf(item.RangeVar);
    level.from.push(mention);
    return [mention.alias];
  }
  if (!isNode(item.JoinExpr)) return [];
  const join = item.JoinExpr as { jointype: string; larg: Node; rarg: Node; quals?: Node };
  const left = collect(join.larg, level);
  const right = collect(join.rarg, level);
  const restricted = { JOIN_INNER: [...left, ...right], JOIN_LEFT: right, JOIN_RIGHT: left }[join.jointype] ?? [];
  for (const on of conjuncts(join.quals)) level.conditions.push({ on, of: new Set(restricted) });
  return [...left, ...right];
}

function mentionOf(relation: Node): Mention {
  const { relname, alias } = relation as { relname: string; alias?: { aliasname: string } };
  return { table: relname, alias: alias?.aliasname ?? relname };
}

function conjuncts(condition: unknown): Node[] {
  if (!isNode(condition)) return [];
  const { boolop, args } = (condition.BoolExpr ?? {}) as { boolop?: string; args?: Node[] };
  return boolop === "AND_EXPR" ? (args ?? []).flatMap(conjuncts) : [condition];
}

/** Every node of a type below a value, those of nested levels included; what `leave` says is not entered. */
export function nodesOf(value: unknown, type: string, leave: (name: string, member: Node) => boolean = () => false): Node[] {
  if (Array.isArray(value)) return value.flatMap((item) => nodesOf(item, type, leave));
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (isNode(member) && leave(name, member)) return [];
    return [...(name === type ? [member as Node] : []), ...nodesOf(member, type, leave)];
  });
}

/** The parts of a name: of a column, a function, a type or an operator. */
export function nameParts(list: unknown): string[] {
  return ((list ?? []) as Node[]).map((part) => (part.String as { sval: string } | undefined)?.sval ?? "*");
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
