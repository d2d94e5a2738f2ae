import { fail } from "../../../../kernel/errors.ts";
import { hashPassword } from "../../../../platform/crypto/password.ts";
import { hashSecret } from "../../../../platform/crypto/secret.ts";
import type { Visit } from "../../../../platform/http/public-route.ts";
import { record } from "../../../../platform/record/tx.ts";
import { activateUser, programmeName, requireGoodPassword, takeLink } from "../../users/index.ts";
import { type Begun, beginSession } from "../commands.ts";
import { type LinkedUser, passwordHashForShareOrNull, userOfLinkOrNull } from "../queries.ts";
import type { InvitationAcceptance } from "./schema.ts";

async function findLinked(
  { services }: Visit,
  token: string,
  purpose: "sign_in" | "invitation",
  state: LinkedUser["state"],
): Promise<LinkedUser> {
  const user = await userOfLinkOrNull(services.db, hashSecret(token), purpose, services.clock.now());
  return user?.state === state ? user : fail("invalid_link");
}

/** Signs in by a link that was made on the machine of the service. It is used up. */
export async function signInByLink(visit: Visit, token: string): Promise<Begun> {
  const user = await findLinked(visit, token, "sign_in", "active");
  return beginSession(visit, user, async (tx) => {
    if ((await takeLink(tx, hashSecret(token), "sign_in")) === null) fail("invalid_link");
    if ((await passwordHashForShareOrNull(tx, user.user_id)) === null) fail("invalid_link");
  });
}

/** Whom an invitation is for, before it is accepted. */
export async function lookAtInvitation(visit: Visit, token: string): Promise<{ json: string }> {
  const { name, email, ...user } = await findLinked(visit, token, "invitation", "invited");
  const company = user.role === "operator" ? programmeName(visit.services.settings) : user.company;
  return { json: JSON.stringify({ name, email, company }) };
}

/** Accepts an invitation: the user chooses a password, and perhaps another name, and is signed in. */
export async function acceptInvitation(visit: Visit, { token, password, name }: InvitationAcceptance): Promise<Begun> {
  const user = await findLinked(visit, token, "invitation", "invited");
  requireGoodPassword(password, user.email);
  const password_hash = await hashPassword(password);
  return beginSession(visit, user, async (tx, scope) => {
    if ((await takeLink(tx, hashSecret(token), "invitation")) === null) fail("invalid_link");
    if (!(await activateUser(tx, user.user_id, password_hash, name ?? null))) fail("invalid_link");
    record(tx, scope, [], { action: "invitations.accept", target: user.user_id, client_id: null });
  });
}
