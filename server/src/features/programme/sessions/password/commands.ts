import { fail } from "../../../../kernel/errors.ts";
import { hashPassword } from "../../../../platform/crypto/password.ts";
import { hashSecret } from "../../../../platform/crypto/secret.ts";
import type { Visit } from "../../../../platform/http/public-route.ts";
import type { PersonContext } from "../../../../platform/http/route.ts";
import { queueMail } from "../../../../platform/mail/queue.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { excludeWriters } from "../../keys/index.ts";
import { dropLinks, requireGoodPassword, savePassword, takeLink } from "../../users/index.ts";
import { actAs, requirePassword } from "../commands.ts";
import { endOtherSessions, userOfLinkOrNull } from "../queries.ts";
import type { PasswordChange, PasswordReset } from "./schema.ts";

const REQUEST_LIFE_MS = 3_600_000;

/** Changes the password of the person, and ends all other sessions. */
export async function changePassword(ctx: PersonContext, { current_password, password }: PasswordChange): Promise<void> {
  const { user_id, session_id } = ctx.principal;
  const { email } = await requirePassword(ctx, current_password);
  requireGoodPassword(password, email);
  const password_hash = await hashPassword(password);
  await ctx.tx(async (tx) => {
    await replacePassword(tx, user_id, password_hash, session_id);
    record(tx, ctx.scope, [], { action: "password.update", target: user_id, client_id: null });
  });
}

/** Before the sessions end, the password is replaced: a sign-in with the old one that is under way sees either. */
async function replacePassword(tx: Tx, user_id: string, password_hash: string, kept_session: string | null): Promise<void> {
  await excludeWriters(tx, user_id);
  await savePassword(tx, user_id, password_hash);
  await endOtherSessions(tx, user_id, kept_session);
  await dropLinks(tx, user_id, ["password_reset", "sign_in"]);
}

/** Asks for a link by e-mail. Whether the address is a user's is looked up when the e-mail is sent, so neither the reply nor its time tells. */
export async function requestReset(visit: Visit, email: string): Promise<void> {
  const { db, clock, settings } = visit.services;
  await visit.limit(`password reset ${email.toLowerCase()}`, { per_minute: 1, burst: 5 });
  if (!settings.smtp) return;
  const now = clock.now();
  await queueMail(db, { kind: "password_reset", about: email, now, expires_at: new Date(now.getTime() + REQUEST_LIFE_MS) });
}

/** Sets a new password by a link, and ends all sessions. The second factor stays. */
export async function completeReset(visit: Visit, { token, password }: PasswordReset): Promise<void> {
  const { services } = visit;
  const hash = hashSecret(token);
  const user = await userOfLinkOrNull(services.db, hash, "password_reset", services.clock.now());
  if (user?.state !== "active") fail("invalid_link");
  requireGoodPassword(password, user.email);
  const password_hash = await hashPassword(password);
  const ctx = actAs(visit, user);
  await ctx.tx(async (tx) => {
    await excludeWriters(tx, user.user_id);
    if ((await takeLink(tx, hash, "password_reset")) === null) fail("invalid_link");
    await replacePassword(tx, user.user_id, password_hash, null);
    record(tx, ctx.scope, [], { action: "password.reset", target: user.user_id, client_id: null });
  });
}
