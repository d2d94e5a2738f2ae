import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, fixedClock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { OPERATOR_TENANT } from "../../kernel/principal.ts";
import { ALL_SCOPES, type Scope } from "../../kernel/scopes.ts";
import { apiKeyHint, hashApiKey, newApiKey } from "../../platform/crypto/api-key.ts";
import { hashPassword } from "../../platform/crypto/password.ts";
import type { Queryable } from "../../platform/db/statement.ts";
import { runInTransaction } from "../../platform/db/transaction.ts";
import { type Context, createContext, type Services } from "../../platform/record/context.ts";
import { record } from "../../platform/record/tx.ts";
import { insertKey } from "../programme/keys/index.ts";
import { insertProgramme, programmeExists } from "../programme/operators/index.ts";
import { createPartner } from "../programme/partners/index.ts";
import { insertUser, issueLink, linkedUserForUpdateOrNull, userOfAddressOrNull } from "../programme/users/index.ts";
import { createDemoRecords } from "./demo.commands.ts";
import {
  DEMO_CLIENT_USER,
  DEMO_OPERATOR,
  DEMO_PARTNER,
  DEMO_PARTNER_DAYS,
  DEMO_SUB_PARTNER,
  DEMO_SUB_PARTNER_DAYS,
  daysBefore,
} from "./demo.ts";
import { lockFirstRun } from "./queries.ts";

export type FirstRun = { data_dir: string; base_url: string; seed: "demo" | "none" };
type Credentials = { email: string; password: string };
/** The services at an instant, inside the first run's transaction. */
type ServicesAt = (clock: Clock) => Services;
/** A context for a partner, with them. */
type ActAs = (partner_id: string, clock: Clock) => Context;

/**
 * Creates the programme in an empty database, in one transaction: the operator with its key, and the demo data unless `seed` is none.
 * The file with the secrets is written before the commit: a crash in between leaves a file that the next start replaces, never a
 * programme with lost keys. Returns whether it created one.
 */
export async function runFirst(services: Services, options: FirstRun): Promise<boolean> {
  if (await programmeExists(services.db)) return false;
  const passwords = await Promise.all([
    newCredentials(DEMO_OPERATOR.email),
    newCredentials(DEMO_PARTNER.owner.email),
    newCredentials(DEMO_SUB_PARTNER.owner.email),
    newCredentials(DEMO_CLIENT_USER.email),
  ]);
  return services.db.transaction(() => ({
    open: lockFirstRun,
    async run(tx: Queryable) {
      if (await programmeExists(tx)) return false;
      await insertProgramme(tx, services.clock.now());
      await fillProgramme(servicesInside(services, tx), services.clock.now(), options, passwords);
      return true;
    },
    close: () => [],
  }));
}

/** A link that signs in the owner of the demo partner, null if there is none. */
export async function makeDemoLink(services: Services): Promise<string | null> {
  const ctx = createContext(services, { principal: { type: "system", partner_id: OPERATOR_TENANT } });
  return ctx.tx(async (tx) => {
    const found = await userOfAddressOrNull(tx, DEMO_PARTNER.owner.email);
    const owner = found === null ? null : await linkedUserForUpdateOrNull(tx, found.id, null);
    return owner?.state === "active" ? (await issueLink(tx, services.settings, owner.id, "sign_in")).url : null;
  });
}

/** Everything reads and writes in the first run's transaction. */
function servicesInside(services: Services, tx: Queryable): ServicesAt {
  const db = {
    ...services.db,
    query: tx.query,
    byKey: tx,
    transaction: <T>(makePlan: Parameters<typeof services.db.transaction<T>>[0]) => runInTransaction(tx, makePlan()),
  };
  return (clock) => ({ ...services, db, clock });
}

type Login = Credentials & { password_hash: string };

async function fillProgramme(
  servicesAt: ServicesAt,
  now: Date,
  options: FirstRun,
  [operator, owner, subOwner, clientUser]: Login[],
): Promise<void> {
  if (operator === undefined || owner === undefined || subOwner === undefined || clientUser === undefined)
    throw new Error("a login is missing");
  const actAs: ActAs = (partner_id, clock) => createContext(servicesAt(clock), { principal: { type: "system", partner_id } });
  const partner_id = newId("partner", daysBefore(now, DEMO_PARTNER_DAYS).getTime());
  const operator_key = await createOperator(actAs(partner_id, fixedClock(now)), operator);
  const addresses = { base_url: options.base_url, partner_base_url: `${options.base_url}/v1/partners` };
  const credentials = ({ email, password }: Credentials) => ({ email, password });
  if (options.seed === "none") {
    return writeSecrets(options.data_dir, { ...addresses, operator_key, operator: credentials(operator) });
  }
  await createDemoPartner(actAs, partner_id, null, DEMO_PARTNER, owner, now);
  const sub_partner_id = newId("partner", daysBefore(now, DEMO_SUB_PARTNER_DAYS).getTime());
  await createDemoPartner(actAs, sub_partner_id, partner_id, DEMO_SUB_PARTNER, subOwner, now);
  const actors = { partner: partner_id, sub_partner: sub_partner_id, operator: OPERATOR_TENANT };
  const clients = await createDemoRecords(servicesAt, actors, now);
  await createClientUser(actAs(partner_id, fixedClock(now)), clients.get(DEMO_CLIENT_USER.company) ?? "", clientUser);
  const api_key = await createDemoKey(actAs(partner_id, fixedClock(now)), "First key", ALL_SCOPES);
  await writeSecrets(options.data_dir, {
    ...addresses,
    portal_url: `${options.base_url}/portal`,
    partner_id,
    api_key,
    operator_key,
    owner: credentials(owner),
    client_user: credentials(clientUser),
    operator: credentials(operator),
  });
}

async function createOperator(ctx: Context, login: Login): Promise<string> {
  const { name, email } = DEMO_OPERATOR;
  const secret = newApiKey();
  await ctx.tx(async (tx) => {
    const { id: created_by } = await insertUser(tx, {
      partner_id: null,
      email,
      name,
      role: "operator",
      password_hash: login.password_hash,
    });
    await insertKey(tx, {
      partner_id: null,
      name: "First operator key",
      hash: hashApiKey(secret),
      hint: apiKeyHint(secret),
      scopes: [],
      clients: "all",
      created_by,
    });
  });
  return secret;
}

async function createDemoPartner(
  actAs: ActAs,
  id: string,
  parent_id: string | null,
  demo: typeof DEMO_PARTNER | typeof DEMO_SUB_PARTNER,
  login: Login,
  now: Date,
) {
  const { company, grade, currency, branding, owner } = demo;
  const partner = { id, parent_id, company, grade, pinned: true, currency, branding, api_access: parent_id === null };
  const ctx = actAs(id, fixedClock(daysBefore(now, parent_id === null ? DEMO_PARTNER_DAYS : DEMO_SUB_PARTNER_DAYS)));
  await createPartner(ctx, partner, { ...owner, partner_id: id, role: "owner", password_hash: login.password_hash });
}

/** A user who is bound to the account of one client. */
function createClientUser(ctx: Context, client_id: string, { password_hash }: Login): Promise<void> {
  const { partner_id } = ctx.scope;
  const { name, email } = DEMO_CLIENT_USER;
  return ctx.tx(async (tx) => {
    const { id } = await insertUser(tx, { partner_id, name, email, role: "member", accounts: [client_id], password_hash });
    record(tx, ctx.scope, [], { action: "users.create", target: id, client_id });
  });
}

function createDemoKey(ctx: Context, name: string, scopes: readonly Scope[]): Promise<string> {
  const secret = newApiKey();
  const { partner_id } = ctx.scope;
  return ctx.tx(async (tx) => {
    const key = await insertKey(tx, {
      partner_id,
      name,
      hash: hashApiKey(secret),
      hint: apiKeyHint(secret),
      scopes,
      clients: "all",
      created_by: "system",
    });
    record(tx, ctx.scope, [], { action: "keys.create", target: key.id, client_id: null });
    return secret;
  });
}

async function newCredentials(email: string): Promise<Login> {
  const password = randomBytes(12).toString("base64url");
  return { email, password, password_hash: await hashPassword(password) };
}

/** Written atomically, and readable only by the user who runs the service. */
async function writeSecrets(data_dir: string, secrets: object): Promise<void> {
  const file = join(data_dir, "first-run.json");
  const draft = `${file}.${process.pid}.draft`;
  await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
