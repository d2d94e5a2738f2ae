import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import { isIdOrName, kindName, type Named } from "../../../kernel/ids.ts";
import type { PartnerCaller } from "../../../kernel/principal.ts";
import { requirePermission } from "../../../platform/http/authorise.ts";
import type { Route } from "../../../platform/http/route.ts";
import type { TSchema } from "../../../platform/http/type.ts";
import { compile } from "../../../platform/http/validation.ts";

type Args = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, TSchema>>;

/** An operation that a tool stands for, and the argument that names the resource in its path. */
type Meaning = { route: Route; id: string | null };

export type Tool = {
  description: string;
  /** More than one, if the tool is for several kinds of records: the id that is given tells which. */
  meanings: readonly Meaning[];
  /** The members of the query or the body, by argument. */
  members: Readonly<Record<string, string>>;
  properties: Properties;
  required: readonly string[];
};

/** Declares a tool: its operations by the argument that names their resource, and the members that are its arguments. */
export function toolOf(
  description: string,
  operations: Route | Readonly<Record<string, Route>>,
  members: Readonly<Record<string, string>> = {},
  properties: Properties = {},
): Tool {
  const meanings = isRoute(operations)
    ? [{ route: operations, id: null }]
    : Object.entries(operations).map(([id, route]) => ({ route, id }));
  const [first] = meanings;
  const { properties: known = {}, required = [] } = (first?.route.query ?? first?.route.body ?? {}) as {
    properties?: Properties;
    required?: string[];
  };
  const described = Object.entries(members).map(([name, member]) => [name, properties[name] ?? known[member] ?? {}]);
  return {
    description,
    meanings,
    members,
    properties: Object.fromEntries(described) as Properties,
    required: Object.keys(members).filter((name) => required.includes(members[name] ?? "")),
  };
}

const isRoute = (operations: object): operations is Route => "operation" in operations;

/** Arguments that are called as the members that they are. */
export const same = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]));

/** The tools that a caller has the scopes for, as the protocol lists them. */
export function toolsFor(tools: Readonly<Record<string, Tool>>, caller: PartnerCaller) {
  return Object.entries(tools).flatMap(([name, tool]) => {
    const meanings = tool.meanings.filter(({ route }) => isPermitted(route, caller));
    const [first] = meanings;
    if (first === undefined) return [];
    const annotations = { readOnlyHint: first.route.method === "GET", destructiveHint: false, openWorldHint: false };
    return [{ name, description: tool.description, inputSchema: argumentsOf({ ...tool, meanings }), annotations }];
  });
}

function isPermitted(route: Route, caller: PartnerCaller): boolean {
  try {
    requirePermission(route, caller);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function argumentsOf({ meanings, properties, required }: Tool) {
  const ids = meanings.flatMap(({ id, route }) => (id === null ? [] : [[id, idOf(route)] as const]));
  const needed = ids.length === 1 ? ids.map(([id]) => id) : [];
  return {
    type: "object" as const,
    // Schemas are plain JSON, which their type does not say.
    properties: { ...Object.fromEntries(ids), ...properties } as Record<string, never>,
    required: [...needed, ...required],
    additionalProperties: false,
  };
}

const idOf = ({ params }: Route) => ({
  type: "string" as const,
  maxLength: 100,
  description: `Id of the ${kindName((params.id ?? "contact") as never)}`,
});

const checks = new WeakMap<object, (value: unknown) => void>();

function check(owner: object, schema: () => TSchema, value: unknown): void {
  const known = checks.get(owner) ?? compile(schema(), "body");
  checks.set(owner, known);
  known(value);
}

/** What a call of a tool means: the operation, and its input, which is checked as the operation itself checks it. */
export function meaningOf(tool: Tool, args: Args) {
  check(tool, () => argumentsOf(tool) as TSchema, args);
  const { route, id } = chosen(tool, args);
  const kind: Named | undefined = route.params.id;
  const named = id === null ? "" : String(args[id]);
  if (kind !== undefined && !isIdOrName(kind, named)) notFound(named);
  const given = Object.entries(tool.members).filter(([name]) => args[name] !== undefined);
  const members = Object.fromEntries(given.map(([name, member]) => [member, args[name]]));
  const { body } = route;
  if (body !== undefined) check(route, () => body, members);
  const input = { params: id === null ? {} : { id: named }, query: body === undefined ? members : {}, body: members };
  return { route, input };
}

function chosen({ meanings }: Tool, args: Args): Meaning {
  const [only, another] = meanings.length === 1 ? meanings : meanings.filter(({ id }) => args[id ?? ""] !== undefined);
  if (only !== undefined && another === undefined) return only;
  return fail("validation_failed", { detail: `Give exactly one of ${meanings.map(({ id }) => id).join(", ")}.` });
}
