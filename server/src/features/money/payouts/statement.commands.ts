import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import { statementNumber } from "./model.ts";
import { statementCsv, statementPdf } from "./papers/index.ts";
import { statementHead, statementRows } from "./statement.queries.ts";

/** The statement of a payout, made anew from its rows each time. */
export async function payoutStatement(ctx: Context, partner_id: string, id: string, format: "pdf" | "csv"): Promise<Result> {
  const { statement_seq, ...head } = await statementHead(ctx.db.byKey, partner_id, id);
  const statement_number = statementNumber(statement_seq);
  const statement = { ...head, statement_number, rows: statementRows(ctx.db, partner_id, id) };
  const pieces = () => (format === "pdf" ? statementPdf(statement) : statementCsv(statement));
  return { json: "", pieces, headers: { "content-disposition": `inline; filename="${statement_number}.${format}"` } };
}
