import { OPERATOR_TENANT } from "../../../../kernel/principal.ts";
import { type Message, renderMail } from "../../../../platform/mail/message.ts";
import { createContext, type Services } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { programmeName } from "../model.ts";
import { issueLink } from "./commands.ts";
import { hasLinkSince, type LinkedUser, linkedUserForUpdateOrNull, userOfAddressOrNull } from "./queries.ts";

/** Whoever asks again and again for an address does not fill its inbox. */
const RESET_PAUSE_MS = 60_000;

/**
 * The e-mails with links. A link is made when its e-mail is sent, so that no token waits in the queue; an e-mail that is sent again has
 * a new link, and only the newest is valid.
 */
export async function composeInvitation(services: Services, user_id: string): Promise<Message | null> {
  return composeFor(services, user_id, async (tx, user) => {
    if (user.state !== "invited") return null;
    const { url } = await issueLink(tx, services.settings, user.id, "invitation");
    const programme = programmeName(services.settings);
    const where = user.company === null ? programme : `${user.company} on ${programme}`;
    return renderMail(user.email, {
      programme,
      subject: `Invitation to ${where}`,
      paragraphs: [`Hello ${user.name},`, `you are invited to ${where}. Choose a password to begin.`],
      action: { label: "Accept the invitation", url },
      note: "The link is valid for seven days and can be used once. If you did not expect it, ignore this e-mail.",
    });
  });
}

/** Null for an address that nobody has, and for users who have not accepted their invitation. */
export async function composePasswordReset(services: Services, email: string, attempt: number): Promise<Message | null> {
  const found = await userOfAddressOrNull(services.db, email);
  if (found === null) return null;
  return composeFor(services, found.id, async (tx, user) => {
    if (user.state !== "active") return null;
    const since = new Date(tx.now.getTime() - RESET_PAUSE_MS);
    if (attempt === 1 && (await hasLinkSince(tx, user.id, "password_reset", since))) return null;
    const { url } = await issueLink(tx, services.settings, user.id, "password_reset");
    const programme = programmeName(services.settings);
    return renderMail(user.email, {
      programme,
      subject: `New password for ${programme}`,
      paragraphs: [`Hello ${user.name},`, "somebody has asked for a new password for this address."],
      action: { label: "Choose a new password", url },
      note: "The link is valid for an hour and can be used once. If it was not you, ignore this e-mail: nothing has changed.",
    });
  });
}

async function composeFor(
  services: Services,
  user_id: string,
  compose: (tx: Tx, user: LinkedUser) => Promise<Message | null>,
): Promise<Message | null> {
  const ctx = createContext(services, { principal: { type: "system", partner_id: OPERATOR_TENANT } });
  return ctx.tx(async (tx) => {
    const user = await linkedUserForUpdateOrNull(tx, user_id, null);
    return user === null ? null : compose(tx, user);
  });
}
