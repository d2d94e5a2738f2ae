import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type TObject, Type } from "typebox";
import { fail } from "../../kernel/errors.ts";
import { LIMIT_MAX } from "../../kernel/page.ts";
import { tenantScope } from "../../kernel/principal.ts";
import { record } from "../record/tx.ts";
import { columnsOf, csvHeader, csvRows } from "./csv.ts";
import type { CallerContext, Route } from "./route.ts";

/** A reader that takes nothing for so long has gone. */
const STALLED_AFTER_MS = 60_000;
/** How many exports a partner may have under way in one process. */
const AT_ONCE_MAX = 4;

const EXPORT_PARAMETERS = {
  format: Type.Optional(Type.Enum(["json", "csv", "ndjson"], { description: "csv and ndjson stream the whole filtered list" })),
  csv_guard: Type.Optional(
    Type.Enum(["on", "off"], { description: "off leaves cells that a spreadsheet takes for formulas as they are" }),
  ),
};

const TYPES = { csv: "text/csv; charset=utf-8; header=present", ndjson: "application/x-ndjson; charset=utf-8" };

export type ExportFormat = keyof typeof TYPES;

type Page = { data: object[]; next_cursor: string | null };
type Query = Record<string, unknown>;
type Input = { params: Record<string, string>; query: Query; body: unknown };

type Export = {
  route: Route;
  format: ExportFormat;
  ctx: CallerContext;
  input: Input;
  /** Looks at the key again before each page is sent: what ends the key ends the export, in the middle if need be. */
  readmit(): Promise<void>;
};

/** The query of a route, with what an export adds to a list's own. */
export function queryOf({ query, exportable }: Route): Route["query"] {
  if (exportable !== true || query === undefined) return query;
  return { ...query, properties: { ...(query as TObject).properties, ...EXPORT_PARAMETERS } } as unknown as TObject;
}

/** A list's own query, without what an export adds. */
export function withoutExport(query: Query): Query {
  const { format: _, csv_guard: __, ...own } = query;
  return own;
}

/** The form that is asked for, if any is: the parameter decides, then the most wanted type of Accept that there is. */
export function requestedFormat(route: Route, request: FastifyRequest): ExportFormat | "json" | null {
  if (route.exportable !== true) return null;
  const { format } = request.query as Query;
  if (format !== undefined) return format === "csv" || format === "ndjson" ? format : "json";
  const wanted = (request.headers.accept ?? "")
    .split(",")
    .map((range) => ({ range: range.trim().toLowerCase(), weight: Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1) }))
    .sort((a, b) => b.weight - a.weight)
    .find(({ range }) => /^(text\/csv|application\/(x-ndjson|json|\*)|\*\/\*)/.test(range));
  if (wanted?.range.startsWith("text/csv")) return "csv";
  return wanted?.range.startsWith("application/x-ndjson") ? "ndjson" : null;
}

export type Exporter = ReturnType<typeof createExporter>;

/**
 * Streams a whole list by walking its own pages, so that an export has the list's filters, order and rights, holds one
 * page in memory and no transaction open.
 */
export function createExporter() {
  const under_way = new Map<string, number>();

  function begin(partner_id: string): () => void {
    const count = under_way.get(partner_id) ?? 0;
    if (count >= AT_ONCE_MAX) {
      fail("rate_limit_exceeded", {
        detail: `${AT_ONCE_MAX} exports are under way already. Wait until one of them has ended.`,
        headers: { "retry-after": "5" },
      });
    }
    under_way.set(partner_id, count + 1);
    return () => {
      const left = (under_way.get(partner_id) ?? 1) - 1;
      if (left === 0) under_way.delete(partner_id);
      else under_way.set(partner_id, left);
    };
  }

  return async (request: FastifyRequest, reply: FastifyReply, asked: Export): Promise<FastifyReply> => {
    const { route, format, ctx, input } = asked;
    const { csv_guard = "on" } = request.query as Query;
    refusePages(input.query);
    const end = begin(tenantScope(ctx.principal).partner_id);
    try {
      await ctx.tx(async (tx) => record(tx, ctx.scope, [], { action: exportAction(route), target: null, client_id: null }));
      const pages = walkPages(route, ctx, input);
      const first = await pages.next();
      const body = Readable.from(render(asked, csv_guard === "on", first, pages), { objectMode: false });
      body.once("close", end);
      // Before HTTP/1.1 a reply ends where its connection does, so one that was cut off must not end well.
      body.once("error", () => request.raw.socket.resetAndDestroy());
      reply.raw.setTimeout(STALLED_AFTER_MS, () => reply.raw.destroy());
      const name = `${exportAction(route).split(".")[0]}.${format}`;
      reply.headers({ "content-type": TYPES[format], "content-disposition": `attachment; filename="${name}"` });
      reply.headers({ "cache-control": "private, no-store", "request-id": request.id });
      if (request.method === "HEAD") body.destroy();
      return reply.send(request.method === "HEAD" ? undefined : body);
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Exports are told apart from lists in the audit log: one entry each. */
export function exportAction(route: Route): string {
  return route.operation.replace(/\.\w+$/, ".export");
}

function refusePages(query: Query): void {
  const faults = ["limit", "cursor"]
    .filter((name) => query[name] !== undefined)
    .map(
      (name) => ({ in: "query", pointer: `#/${name}`, code: "not_paged", detail: `${name} has no place in an export.` }) as const,
    );
  if (faults.length > 0)
    fail("invalid_parameter", { detail: "An export is the whole list: leave out limit and cursor.", faults });
}

async function* walkPages(route: Route, ctx: CallerContext, input: Input): AsyncGenerator<object[], void> {
  let cursor: string | null = null;
  do {
    const position: Query = cursor === null ? {} : { cursor };
    const result = await route.handle(ctx, { ...input, query: { ...input.query, limit: LIMIT_MAX, ...position } });
    const page = JSON.parse(result?.json ?? "") as Page;
    yield page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

async function* render(
  { route, format, readmit }: Export,
  guarded: boolean,
  first: IteratorResult<object[], void>,
  rest: AsyncGenerator<object[], void>,
): AsyncGenerator<string, void> {
  const columns = columnsOf(rowSchema(route));
  if (format === "csv") yield csvHeader(columns);
  for (let page = first; page.done !== true; page = await rest.next()) {
    if (page !== first) await readmit();
    const rows = page.value;
    if (rows.length === 0) continue;
    yield format === "csv" ? csvRows(columns, rows, guarded) : rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  }
}

/** The schema of one row, out of the list's. */
export function rowSchema(route: Route): TObject {
  return (route.reply.schema as unknown as { properties: { data: { items: TObject } } }).properties.data.items;
}
