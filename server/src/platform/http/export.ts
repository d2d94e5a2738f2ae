import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";
import { LIMIT_MAX } from "../../kernel/page.ts";
import { tenantScope } from "../../kernel/principal.ts";
import { record } from "../record/tx.ts";
import { columnsOf, csvHeader, csvRows } from "./csv.ts";
import type { CallerContext, Route } from "./route.ts";
import { type TObject, Type } from "./type.ts";

/** A reader that consumes nothing for this long is disconnected. */
const STALLED_AFTER_MS = 60_000;
/** The maximum of concurrent exports per partner and process. */
const CONCURRENT_MAX = 4;

const EXPORT_PARAMETERS = {
  format: Type.Optional(
    Type.Enum(["json", "csv", "ndjson"], {
      description: "Format of the reply; csv and ndjson stream the whole filtered list. Default: json",
    }),
  ),
  csv_guard: Type.Optional(
    Type.Enum(["on", "off"], {
      description: "Whether CSV cells that a spreadsheet would run as formulas are escaped. Default: on",
    }),
  ),
};

const TYPES = { csv: "text/csv; charset=utf-8; header=present", ndjson: "application/x-ndjson; charset=utf-8" };

export type ExportFormat = keyof typeof TYPES;

type Page = { data: object[]; has_more?: boolean; next_cursor?: string | null };
type Query = Record<string, unknown>;
type Input = {
  params: Record<string, string>;
  query: Query;
  body: unknown;
  respond_async: boolean;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

type Export = {
  route: Route;
  format: ExportFormat;
  ctx: CallerContext;
  input: Input;
  /** Checks the key again before each page: revoking the key aborts the export. */
  readmit(): Promise<void>;
};

const exportQueries = new WeakMap<object, TObject>();

/** The query schema of a route, with the parameters of an export: one for all servers of a process, so that it is compiled once. */
export function queryOf({ query, exportable }: Route): Route["query"] {
  if (exportable !== true || query === undefined) return query;
  const known = exportQueries.get(query);
  if (known !== undefined) return known;
  const extended = { ...query, properties: { ...(query as TObject).properties, ...EXPORT_PARAMETERS } } as unknown as TObject;
  exportQueries.set(query, extended);
  return extended;
}

/** A query without the parameters of an export. */
export function withoutExport(query: Query): Query {
  const { format: _, csv_guard: __, ...own } = query;
  return own;
}

/** The requested format, or null: the parameter decides, then the preferred type of Accept that is available. */
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
 * Streams a whole list page by page, so an export has the list's filters, order and access control, and holds one page
 * in memory and no open transaction.
 */
export function createExporter() {
  const running = new Map<string, number>();

  function begin(partner_id: string): () => void {
    const count = running.get(partner_id) ?? 0;
    if (count >= CONCURRENT_MAX) {
      fail("rate_limit_exceeded", {
        detail: `${CONCURRENT_MAX} exports are already running. Wait until one of them has finished.`,
        headers: { "retry-after": "5" },
      });
    }
    running.set(partner_id, count + 1);
    return () => {
      const left = (running.get(partner_id) ?? 1) - 1;
      if (left === 0) running.delete(partner_id);
      else running.set(partner_id, left);
    };
  }

  return async (request: FastifyRequest, reply: FastifyReply, requested: Export): Promise<FastifyReply> => {
    const { route, format, ctx, input } = requested;
    const { csv_guard = "on" } = request.query as Query;
    refusePages(input.query);
    const end = begin(tenantScope(ctx.principal).partner_id);
    try {
      await ctx.tx(async (tx) => record(tx, ctx.scope, [], { action: exportAction(route), target: null, client_id: null }));
      const pages = walkPages(route, ctx, input);
      const first = await pages.next();
      const body = Readable.from(render(requested, csv_guard === "on", first, pages), { objectMode: false });
      body.once("close", end);
      // Before HTTP/1.1 a reply ends with its connection, so a truncated one must end with a reset.
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

/** The action of an export in the audit log, different from that of the list. */
export function exportAction(route: Route): string {
  return route.operation.replace(/\.\w+$/, ".export");
}

function refusePages(query: Query): void {
  const faults = ["limit", "cursor"]
    .filter((name) => query[name] !== undefined)
    .map(
      (name) =>
        ({ in: "query", pointer: `#/${name}`, code: "not_paged", detail: `${name} cannot be used with an export.` }) as const,
    );
  if (faults.length > 0)
    fail("invalid_parameter", { detail: "An export is always the whole list: remove limit and cursor.", faults });
}

/** A list goes on with `cursor`; a feed with `after`, up to what there is when it gets there. */
async function* walkPages(route: Route, ctx: CallerContext, input: Input): AsyncGenerator<object[], void> {
  const name = "after" in ((route.query as TObject | undefined)?.properties ?? {}) ? "after" : "cursor";
  let position: Query | null = {};
  while (position !== null) {
    const result = await route.handle(ctx, { ...input, query: { ...input.query, limit: LIMIT_MAX, ...position } });
    const page = JSON.parse(result?.json ?? "") as Page;
    yield page.data;
    position = page.has_more ? { [name]: page.next_cursor } : null;
  }
}

async function* render(
  { route, format, input, readmit }: Export,
  guarded: boolean,
  first: IteratorResult<object[], void>,
  rest: AsyncGenerator<object[], void>,
): AsyncGenerator<string, void> {
  // What a request includes beside the record has columns only if it asked for it.
  const columns = columnsOf(rowSchema(route)).filter(([name]) => name !== "included" || input.query.include !== undefined);
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
