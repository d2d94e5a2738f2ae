import { fail, notFound } from "../../../../kernel/errors.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import { type Context, createContext, requireVersion, type Services } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { lockConversation, noteIn } from "../../../inbox/conversations/index.ts";
import type { Answer } from "../../engine/index.ts";
import { enqueueApproved } from "../turns/queries.ts";
import {
  type Approval,
  approvalForUpdateOrNull,
  approvalOrNull,
  approvalsPage,
  type Changed,
  type Decision,
  overdueApprovals,
  recordVersion,
  saveDecision,
  saveExpiry,
  saveResult,
} from "./queries.ts";
import type { ApprovalDecision, ApprovalListQuery } from "./schema.ts";

const BATCH = 500;

export function listApprovals(ctx: Context, query: ApprovalListQuery): Promise<{ json: string }> {
  return approvalsPage(ctx.db, ctx.scope, query);
}

export async function getApproval(ctx: Context, id: string): Promise<Approval> {
  return (await approvalOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/** Approves the use of a tool: a turn of its own does it, exactly once. */
export function approve(ctx: Context, id: string, { note = null }: ApprovalDecision): Promise<Approval> {
  return ctx.tx(async (tx) => {
    const approval = await lockedApproval(ctx, tx, id);
    await refuseChanged(ctx, tx, approval);
    const saved = await decide(ctx, tx, approval, "approved", note);
    await enqueueApproved(tx, ctx.scope, saved);
    return saved;
  });
}

export function reject(ctx: Context, id: string, { note = null }: ApprovalDecision): Promise<Approval> {
  return ctx.tx(async (tx) => decide(ctx, tx, await lockedApproval(ctx, tx, id), "rejected", note));
}

/** An approval that nobody has decided on yet, locked after its conversation. */
async function lockedApproval(ctx: Context, tx: Tx, id: string): Promise<Approval> {
  const { conversation_id } = (await approvalOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await lockConversation({ ...ctx, expected_version: null }, tx, conversation_id);
  const approval = (await approvalForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, approval);
  const from = approval.status === "pending" && Date.parse(approval.expires_at) <= tx.now.getTime() ? "expired" : approval.status;
  if (from !== "pending") fail("invalid_state_transition", { detail: `The approval is ${from}.`, meta: { from, allowed: [] } });
  return approval;
}

/** Whoever approves has seen the record as the agent saw it. */
export async function refuseChanged(ctx: Context, tx: Tx, { record_id, record_version }: Approval): Promise<void> {
  if (record_id === null) return;
  const current_version = await recordVersion(tx, ctx.scope, record_id);
  if (current_version === record_version) return;
  const detail =
    current_version === null
      ? `${record_id} is not there any more.`
      : `${record_id} had version ${record_version} when the agent asked, and has version ${current_version} now.`;
  fail("approval_conflict", {
    detail,
    meta: { record_id, record_version, ...(current_version !== null && { current_version }) },
  });
}

async function decide(
  ctx: Context,
  tx: Tx,
  { id, tool, conversation_id }: Approval,
  status: Decision["status"],
  note: string | null,
): Promise<Approval> {
  const saved = await saveDecision(tx, ctx.scope, id, { status, note, decided_by: actorOf(ctx.principal).id });
  const conversation = await lockConversation({ ...ctx, expected_version: null }, tx, conversation_id);
  await noteIn(ctx, tx, conversation, `${tool} (${id}) was ${status}${note === null ? "." : `: ${note}`}`);
  const changes = { status: { from: "pending", to: status } };
  const action = status === "approved" ? "approvals.approve" : "approvals.reject";
  recordChange(tx, ctx.scope, updated(saved), { action, changes });
  return saved;
}

const updated = ({ id, account_id, version }: Changed) =>
  ({ resource: "approval", change: "updated", id, account_id, version }) as const;

/** Keeps what came of something that was approved. */
export async function concludeApproval(ctx: Context, tx: Tx, id: string, result: Answer): Promise<void> {
  const changed = await saveResult(tx, ctx.scope, id, result);
  if (changed !== null) recordChange(tx, ctx.scope, updated(changed), null);
}

/** Ends approvals that nobody has decided on in time. Returns how many. */
export async function expireApprovals(services: Services): Promise<number> {
  const overdue = await overdueApprovals(services.db, services.clock.now(), BATCH);
  for (const { partner_id, id } of overdue) {
    const ctx = createContext(services, { principal: { type: "system", partner_id } });
    await ctx.tx(async (tx) => {
      const changed = await saveExpiry(tx, ctx.scope, id);
      if (changed !== null) recordChange(tx, ctx.scope, updated(changed), null);
    });
  }
  return overdue.length;
}
