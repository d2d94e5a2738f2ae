import { fail, notFound } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import type { PartnerRole, PersonPrincipal, TenantScope } from "../../../kernel/principal.ts";
import { checkPassword, hashPassword } from "../../../platform/crypto/password.ts";
import { hashSecret, newSecret } from "../../../platform/crypto/secret.ts";
import type { Visit } from "../../../platform/http/public-route.ts";
import type { PersonContext } from "../../../platform/http/route.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { excludeWriters } from "../keys/index.ts";
import { programmeName, SCOPES_OF_ROLE, saveName, savePassword } from "../users/index.ts";
import { type FactorRefusal, useCode } from "./factor/commands.ts";
import { personOf } from "./lookup.queries.ts";
import { CODES, GUESSES, LIFE_MS } from "./model.ts";
import {
  accountsOf,
  endOtherSessions,
  endSession,
  insertSession,
  passwordHashForShareOrNull,
  type SigningIn,
  saveConfirmation,
  sessionOrNull,
  sessionsOf,
  userOfEmailOrNull,
  userSigningInOrNull,
} from "./queries.ts";
import type { Confirmation, OwnName, SignIn } from "./schema.ts";

/** A session that was just begun: its secret goes into the cookie and nowhere else. */
export type Begun = { json: string; secret: string };

/** Signs a person in. An unknown address takes the same time and gets the same reply as a wrong password. */
export async function signIn(visit: Visit, { email, password, code }: SignIn): Promise<Begun> {
  await visit.limit(`sign-in ${email.toLowerCase()}`, GUESSES);
  const { services } = visit;
  const user = await userOfEmailOrNull(services.db, email);
  const { matches, outdated } = await checkPassword(password, user?.password_hash ?? null);
  if (user === null || !matches) refuseSignIn(visit, user, "sign_in_failed");
  if (code !== undefined) await visit.limit(`code ${user.user_id}`, CODES, "all networks");
  const renewed_hash = outdated ? await hashPassword(password) : null;
  return beginSession(visit, user, async (tx) => {
    // The password may have been changed while it was compared.
    if ((await passwordHashForShareOrNull(tx, user.user_id)) !== user.password_hash) refuseSignIn(visit, user, "sign_in_failed");
    const refusal = await useCode(tx, services.sealer, user.user_id, code);
    if (refusal !== null) refuseSignIn(visit, user, refusal);
    if (renewed_hash !== null) await savePassword(tx, user.user_id, renewed_hash);
  });
}

/** The audit log of the user's partner counts what failed. */
function refuseSignIn(visit: Visit, user: SigningIn | null, code: "sign_in_failed" | FactorRefusal): never {
  const denial = { action: "sessions.create", outcome: "denied", client_id: null, code } as const;
  if (user !== null) visit.tally.count(newPerson(visit, user, newSecret()), visit.origin.ip, denial);
  fail(code);
}

/** Begins a session of a user whose identity is proven, at the latest by `also`. */
export async function beginSession(
  visit: Visit,
  user: SigningIn,
  also: (tx: Tx, scope: TenantScope) => Promise<void>,
): Promise<Begun> {
  if (user.role !== "operator" && !user.partner_active) fail("partner_suspended");
  const secret = newSecret();
  const ctx = actAs(visit, user, secret);
  const { session_id: id, user_id, credential } = ctx.principal;
  await ctx.tx(async (tx) => {
    await also(tx, ctx.scope);
    const expires_at = new Date(tx.now.getTime() + LIFE_MS);
    await insertSession(tx, { id, user_id, agent: visit.agent, expires_at, ...credential });
    record(tx, ctx.scope, [], { action: "sessions.create", target: id, client_id: null });
  });
  return { json: await viewOf(ctx, ctx.principal), secret };
}

/** Acts as a user who has no session yet by which to be admitted. */
export function actAs(visit: Visit, user: SigningIn, secret = newSecret()): PersonContext {
  const services = { ...visit.services, admitWriter: async () => ({ free: true, narrowed_version: 0 }) };
  return createContext(services, { principal: newPerson(visit, user, secret), origin: visit.origin }) as PersonContext;
}

function newPerson({ services, origin }: Visit, user: SigningIn, secret: string): PersonPrincipal {
  const now = services.clock.now();
  const session_id = newId("sign_in", now.getTime());
  return personOf(user, { session_id, authenticated_at: now, hash: hashSecret(secret), ip: origin.ip });
}

export async function getSession(ctx: PersonContext): Promise<{ json: string }> {
  return { json: await viewOf(ctx, ctx.principal) };
}

/** Changes the person's own name, which every role may. */
export async function rename(ctx: PersonContext, { name }: OwnName): Promise<{ json: string }> {
  const { user_id } = ctx.principal;
  await ctx.tx(async (tx) => {
    if (!(await saveName(tx, user_id, name))) return;
    record(tx, ctx.scope, [], { action: "users.update", target: user_id, client_id: null, changes: { name: "redacted" } });
  });
  return getSession(ctx);
}

/** Signs out: once this has returned, the session admits no request and none of its writes commits. */
export function signOut(ctx: PersonContext): Promise<void> {
  return endOne(ctx, ctx.principal.session_id);
}

export async function listSessions(ctx: PersonContext): Promise<{ json: string }> {
  const items = await sessionsOf(ctx.db, ctx.principal, ctx.clock.now());
  return { json: `{"data":[${items.join(",")}],"has_more":false,"next_cursor":null}` };
}

/** Ends one of the person's own sessions. */
export function endOne(ctx: PersonContext, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    await excludeWriters(tx, ctx.principal.user_id);
    if (!(await endSession(tx, ctx.principal.user_id, id))) notFound(id);
    record(tx, ctx.scope, [], { action: "sessions.delete", target: id, client_id: null });
  });
}

/** Ends all other sessions of the person. */
export function endOthers(ctx: PersonContext): Promise<void> {
  return ctx.tx(async (tx) => {
    await excludeWriters(tx, ctx.principal.user_id);
    await endOtherSessions(tx, ctx.principal.user_id, ctx.principal.session_id);
    record(tx, ctx.scope, [], { action: "sessions.delete_others", target: ctx.principal.user_id, client_id: null });
  });
}

/** Confirms the password again, and the second factor, for what is sensitive. */
export async function confirmPassword(ctx: PersonContext, { password, code }: Confirmation): Promise<void> {
  await requirePassword(ctx, password);
  await ctx.tx(async (tx) => {
    const refusal = await useCode(tx, ctx.sealer, ctx.principal.user_id, code);
    if (refusal !== null) fail(refusal);
    await saveConfirmation(tx, ctx.principal.session_id);
    record(tx, ctx.scope, [], { action: "sessions.confirm", target: ctx.principal.session_id, client_id: null });
  });
}

/** Refuses unless this is the password of the person. */
export async function requirePassword(ctx: PersonContext, password: string): Promise<SigningIn> {
  const user = await userSigningInOrNull(ctx.db, ctx.principal.user_id);
  const { matches } = await checkPassword(password, user?.password_hash ?? null);
  if (user === null || !matches) fail("sign_in_failed", { detail: "The password is not right." });
  return user;
}

/** Everything that the portal needs before its first page. */
async function viewOf(
  { db, settings }: Pick<Services, "db" | "settings">,
  { session_id, user_id }: PersonPrincipal,
): Promise<string> {
  const found = (await sessionOrNull(db, session_id)) ?? fail("session_expired");
  const { partner, partner_id, clients, authenticated_at, expires_at, name, email, role, totp } = found;
  const accounts = partner_id === null ? [] : await accountsOf(db, partner_id, clients);
  return JSON.stringify({
    id: session_id,
    user: { id: user_id, name, email, role, totp },
    scopes: partner_id === null ? [] : [...SCOPES_OF_ROLE[role as PartnerRole]],
    partner,
    house_account_id: accounts.find(({ house }) => house)?.id ?? null,
    accounts: clients === null ? "all" : accounts.map(({ house: _house, ...account }) => account),
    programme: { name: programmeName(settings) },
    demo: settings.demo,
    smtp: settings.smtp,
    authenticated_at,
    expires_at,
  });
}
