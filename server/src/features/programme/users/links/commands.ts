import { fail, notFound } from "../../../../kernel/errors.ts";
import { hasScope, OPERATOR_TENANT, type PartnerRole } from "../../../../kernel/principal.ts";
import { hashSecret, newSecret } from "../../../../platform/crypto/secret.ts";
import type { PersonContext } from "../../../../platform/http/route.ts";
import { queueMail } from "../../../../platform/mail/queue.ts";
import type { Context, Settings } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { requireGrantable } from "../model.ts";
import { LINKS, linkUrl, type Purpose } from "./model.ts";
import { dropLinks, insertLink, type LinkedUser, linkedUserForUpdateOrNull, userOfAddressOrNull } from "./queries.ts";

export type Link = { url: string; token: string; expires_at: Date };

/** Makes a link for a user. Those from before for the same purpose end: only the newest is valid. */
export async function issueLink(tx: Tx, settings: Settings, user_id: string, purpose: Purpose): Promise<Link> {
  const token = newSecret();
  const expires_at = new Date(tx.now.getTime() + LINKS[purpose].life_ms);
  await dropLinks(tx, user_id, [purpose]);
  await insertLink(tx, { hash: hashSecret(token), user_id, purpose, expires_at });
  return { url: linkUrl(settings.baseUrl(), purpose, token), token, expires_at };
}

/** Sends an invitation by e-mail with this transaction, where the service sends e-mail. Returns whether it does. */
export async function mailInvitation({ settings }: Pick<Context, "settings">, tx: Tx, user_id: string): Promise<boolean> {
  if (!settings.smtp) return false;
  const expires_at = new Date(tx.now.getTime() + LINKS.invitation.life_ms);
  await queueMail(tx, { kind: "invitation", about: user_id, now: tx.now, expires_at });
  return true;
}

/** Invites a user again: by e-mail, or by a link that the caller passes on. A link from before ends at once. */
export function repeatInvitation(ctx: PersonContext, user_id: string): Promise<{ json: string }> {
  requireTeamAccess(ctx);
  const { principal } = ctx;
  return ctx.tx(async (tx) => {
    const within = principal.type === "operator" ? null : principal.partner_id;
    const user = (await linkedUserForUpdateOrNull(tx, user_id, within)) ?? notFound(user_id);
    if (user.role !== "operator") requireGrantable(principal, user.role as PartnerRole);
    requireInvited(user);
    record(tx, tenantOf(user), [], { action: "invitations.create", target: user.id, client_id: null });
    const { url, expires_at } = await issueLink(tx, ctx.settings, user.id, "invitation");
    const sent = await mailInvitation(ctx, tx, user.id);
    return { json: JSON.stringify({ url: sent ? null : url, sent, expires_at }) };
  });
}

/** Makes a link that signs a user in, for the command line: who runs it has the database anyway. An invited user gets an invitation. */
export function makeSignInLink(ctx: Context, email: string): Promise<Link & { user_id: string }> {
  return ctx.tx(async (tx) => {
    const found = (await userOfAddressOrNull(tx, email)) ?? fail("not_found", { detail: `No user has the address ${email}.` });
    const user = (await linkedUserForUpdateOrNull(tx, found.id, null)) ?? notFound(found.id);
    record(tx, tenantOf(user), [], { action: "users.sign_in_link", target: user.id, client_id: null });
    const link = await issueLink(tx, ctx.settings, user.id, user.state === "active" ? "sign_in" : "invitation");
    return { ...link, user_id: user.id };
  });
}

/** Whose audit log has what was done to a user. */
function tenantOf({ partner_id }: LinkedUser): { partner_id: string } {
  return { partner_id: partner_id ?? OPERATOR_TENANT };
}

function requireTeamAccess({ principal }: PersonContext): void {
  if (!hasScope(principal, "account:write")) {
    const detail = "This operation needs the scope account:write, which the role of the user does not have.";
    fail("insufficient_scope", { detail, meta: { required_scope: "account:write" } });
  }
  if (principal.type === "user" && principal.clients !== "all") fail("partner_wide_key_required");
}

function requireInvited({ state }: LinkedUser): void {
  if (state === "invited") return;
  fail("invalid_state_transition", {
    detail: "The user has accepted the invitation already. A forgotten password can be reset.",
    meta: { from: state, to: "invited", allowed: [] },
  });
}
