import { csvCells } from "../../../platform/http/csv.ts";
import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import { getImport } from "./commands.ts";
import { errorsPage, type FailureReason, failedRows, failureReasons } from "./errors.queries.ts";
import { ERROR_COLUMN } from "./model.ts";
import type { ImportErrorsQuery } from "./schema.ts";

export async function listErrors(ctx: Context, id: string, query: ImportErrorsQuery): Promise<Result> {
  return errorsPage(ctx.db, await getImport(ctx, id), query);
}

/** The most frequent reasons why rows failed. */
export async function listReasons(ctx: Context, id: string, limit: number): Promise<FailureReason[]> {
  return failureReasons(ctx.db, await getImport(ctx, id), limit);
}

const BATCH = 500;

/** The failed rows as a CSV file with an error column, to be corrected and imported again. */
export async function failedRowsFile(ctx: Context, id: string): Promise<Result & { pieces: () => AsyncIterable<string> }> {
  const found = await getImport(ctx, id);
  const { columns } = found.plan;
  const kept = columns.flatMap((name, index) => (name.toLowerCase() === ERROR_COLUMN ? [] : [index]));
  const lineOf = (cells: readonly string[], error: string) => [
    ...kept.map((index) => cells[index] ?? ""),
    ...cells.slice(columns.length),
    error,
  ];
  async function* pieces(): AsyncGenerator<string, void> {
    yield csvCells([lineOf(columns, ERROR_COLUMN)]);
    for (let after = 0; ; ) {
      const rows = await failedRows(ctx.db, found, after, BATCH);
      if (rows.length > 0) yield csvCells(rows.map(({ cells, errors }) => lineOf(cells, errors)));
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) return;
      after = last.row;
    }
  }
  return { json: "", pieces };
}
