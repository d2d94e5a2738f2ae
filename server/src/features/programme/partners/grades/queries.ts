import { listIdentity } from "../../../../kernel/page.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import { insertValues, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { byCreation, keysetPage, type Paging } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Direction, GradeReason } from "./model.ts";
import { TierChange } from "./schema.ts";

const INSERTED = [
  "partner_id",
  "id",
  "at",
  "previous_grade",
  "grade",
  "direction",
  "reason",
  "certification_id",
  "actor_id",
] as const;

const insertStatement = statement(`insert into tier_changes ${insertValues(INSERTED)}`);

type NewTierChange = {
  partner_id: string;
  previous_grade: string;
  grade: string;
  direction: Direction;
  reason: GradeReason;
  certification_id: string | null;
};

export async function insertTierChange(ctx: Context, tx: Tx, change: NewTierChange): Promise<void> {
  const row = { ...change, id: tx.newId("tier_change"), at: tx.now, actor_id: actorOf(ctx.principal).id };
  await tx.query(insertStatement, valuesOf(row, INSERTED));
}

const CHANGE_JSON = rowJson(TierChange, {
  certification: "(select n.name from certifications n where n.id = c.certification_id)",
});

/** The history of a partner's grade, newest first. */
export function tierChangesPage(db: Queryable, partner_id: string, paging: Paging): Promise<{ json: string }> {
  const list = listIdentity("tier-changes", { partner_id });
  const listing = { list, table: "tier_changes", json: CHANGE_JSON, sort: byCreation(true), conditions: () => [] };
  return keysetPage(db, partner_id, listing, paging);
}
