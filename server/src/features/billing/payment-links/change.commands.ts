import { notFound } from "../../../kernel/errors.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { linkForUpdateOrNull, type PaymentLink, saveLink } from "./queries.ts";

/** What an audit entry says of a link: nothing personal. */
export const AUDITED = [
  "status",
  "total_cents",
  "line_items",
  "expires_at",
  "due_on",
  "timezone",
  "partial",
  "tip",
  "collect",
  "provider_id",
  "language",
  "remind",
  "charge",
] as const;

const PERSONAL: ReadonlySet<string> = new Set(["description", "reference", "metadata", "on_paid"]);
const COMPARED = [...AUDITED, "description", "reference", "metadata", "on_paid"] as const;

/** Saves a changed link and tells of it, unless nothing has changed. */
export async function saveChange(
  ctx: Context,
  tx: Tx,
  before: PaymentLink,
  after: PaymentLink,
  action: string,
): Promise<PaymentLink> {
  const changes = changesBetween(before, after, COMPARED, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  const saved = await saveLink(tx, ctx.scope, { ...after, version: before.version + 1 }, ctx.settings.baseUrl());
  recordChange(tx, ctx.scope, { resource: "payment_link", change: "updated", ...saved }, { action, changes });
  return saved;
}

/** A link of an account that takes changes, locked, at the version that the caller saw. */
export async function lockLink(ctx: Context, tx: Tx, id: string): Promise<PaymentLink> {
  const link = (await linkForUpdateOrNull(tx, ctx.scope, id, { now: tx.now, base_url: ctx.settings.baseUrl() })) ?? notFound(id);
  requireVersion(ctx, link);
  await accountForChange(ctx, tx, "contact", link.account_id);
  return link;
}
