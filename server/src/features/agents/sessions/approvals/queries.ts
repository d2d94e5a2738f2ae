import { listIdentity } from "../../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Answer } from "../../engine/index.ts";
import { type ApprovalListQuery, Approval as ApprovalSchema, type ApprovalShown } from "./schema.ts";

const APPROVAL_JSON = rowJson(ApprovalSchema);

/** An approval as the API shows it, with its JSON. */
export type Approval = ApprovalShown & { json: string };

type Whose = Pick<TenantScope, "partner_id">;

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "agent_id",
  "agent_version",
  "conversation_id",
  "session_id",
  "turn_id",
  "tool",
  "args",
  "record_id",
  "record_version",
  "expires_at",
  "created_at",
] as const;
const insertStatement = statement(`insert into tool_approvals ${insertValues(INSERTED)}`);

export type NewApproval = Omit<Record<(typeof INSERTED)[number], unknown>, "partner_id" | "created_at">;

export async function insertApproval(tx: Tx, { partner_id }: Whose, approval: NewApproval): Promise<void> {
  const row = { ...approval, args: JSON.stringify(approval.args), partner_id, created_at: tx.now };
  await tx.query(insertStatement, valuesOf(row, INSERTED));
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const byId = statement(`select ${APPROVAL_JSON} as json from tool_approvals c where ${VISIBLE}`);
const lockById = statement(`select ${APPROVAL_JSON} as json from tool_approvals c where ${VISIBLE} for update`);

export async function approvalOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Approval | null> {
  return parsedRow<ApprovalShown>(await db.query(byId, [scope.partner_id, id, boundClients(scope)]));
}

export async function approvalForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Approval | null> {
  return parsedRow<ApprovalShown>(await tx.query(lockById, [scope.partner_id, id, boundClients(scope)]));
}

const decideStatement = statement(`
  with c as (
    update tool_approvals set status = $3, note = $4, decided_by = $5, decided_at = $6, version = version + 1
    where partner_id = $1 and id = $2
    returning *)
  select ${APPROVAL_JSON} as json from c`);

export type Decision = { status: "approved" | "rejected"; note: string | null; decided_by: string };

/** Decides on a locked approval. */
export async function saveDecision(tx: Tx, { partner_id }: Whose, id: string, decision: Decision): Promise<Approval> {
  const { status, note, decided_by } = decision;
  const values = [partner_id, id, status, note, decided_by, tx.now];
  const saved = parsedRow<ApprovalShown>(await tx.query(decideStatement, values));
  if (saved === null) throw new Error("the decision was not saved");
  return saved;
}

const resultStatement = statement(`
  update tool_approvals set result = $3, executed_at = $4, version = version + 1
  where partner_id = $1 and id = $2 and status = 'approved' and executed_at is null
  returning id, account_id, version`);

/** Which approval was changed, and its version then. */
export type Changed = Pick<Approval, "id" | "account_id" | "version">;

/** Keeps what came of something that was approved; null where that is known already. */
export async function saveResult(tx: Tx, { partner_id }: Whose, id: string, result: Answer): Promise<Changed | null> {
  const [changed] = await tx.query<Changed>(resultStatement, [partner_id, id, JSON.stringify(result), tx.now]);
  return changed ?? null;
}

const versionStatement = statement(`
  select coalesce(
    (select k.version from contacts k where k.partner_id = $1 and k.id = $2 and k.deleted_at is null),
    (select l.version from leads l where l.partner_id = $1 and l.id = $2 and l.deleted_at is null),
    (select d.version from deals d where d.partner_id = $1 and d.id = $2 and d.deleted_at is null))::int as version`);

/** The version of a contact, a lead or a deal; null for one that is not there any more. */
export async function recordVersion(db: Queryable, { partner_id }: Whose, record_id: string): Promise<number | null> {
  const [row] = await db.query<{ version: number | null }>(versionStatement, [partner_id, record_id]);
  return row?.version ?? null;
}

/** The approvals that the caller may see, newest first. */
export function approvalsPage(db: Queryable, scope: TenantScope, query: ApprovalListQuery) {
  const { account_id, agent_id, conversation_id, status } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("approvals", { account_id, agent_id, conversation_id, status }),
      table: "tool_approvals",
      json: APPROVAL_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
        ...(agent_id === undefined ? [] : [`c.agent_id = ${place(agent_id)}`]),
        ...(conversation_id === undefined ? [] : [`c.conversation_id = ${place(conversation_id)}`]),
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
      ],
    },
    query,
  );
}

const overdueStatement = pollStatement(`
  -- all partners: every ten minutes, by an index of what waits.
  select c.partner_id, c.id from tool_approvals c where c.status = 'pending' and c.expires_at <= $1 order by c.expires_at limit $2`);
const expireStatement = statement(`
  update tool_approvals set status = 'expired', version = version + 1
  where partner_id = $1 and id = $2 and status = 'pending' and expires_at <= $3
  returning id, account_id, version`);

/** Approvals that nobody has decided on in time. */
export function overdueApprovals(db: Queryable, now: Date, limit: number): Promise<{ partner_id: string; id: string }[]> {
  return db.query(overdueStatement, [now, limit]);
}

/** Ends an approval that is overdue; null where somebody has decided on it meanwhile. */
export async function saveExpiry(tx: Tx, { partner_id }: Whose, id: string): Promise<Changed | null> {
  const [changed] = await tx.query<Changed>(expireStatement, [partner_id, id, tx.now]);
  return changed ?? null;
}
