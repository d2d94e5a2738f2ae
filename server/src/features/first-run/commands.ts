import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, fixedClock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { ALL_SCOPES, type Scope } from "../../kernel/scopes.ts";
import { apiKeyHint, hashApiKey, newApiKey } from "../../platform/crypto/api-key.ts";
import { hashPassword } from "../../platform/crypto/password.ts";
import type { Queryable } from "../../platform/db/statement.ts";
import { runInTransaction } from "../../platform/db/transaction.ts";
import { type Context, createContext, type Services } from "../../platform/record/context.ts";
import { record } from "../../platform/record/tx.ts";
import { createClient, updateClient } from "../accounts/clients/index.ts";
import { createContact } from "../crm/contacts/index.ts";
import { changeStage, createDeal } from "../crm/deals/index.ts";
import { convertLead, createLead } from "../crm/leads/index.ts";
import { insertKey } from "../programme/keys/index.ts";
import { insertProgramme, programmeExists } from "../programme/operators/index.ts";
import { createPartner } from "../programme/partners/index.ts";
import { insertUser } from "../programme/users/index.ts";
import { DEMO_CONTACTS_OF_CLIENT, DEMO_CONTACTS_OF_HOUSE, demoContact } from "./contacts.demo.ts";
import { DEMO_DEALS_OF_CLIENT, DEMO_SALES, DEMO_SOLD, type DemoDeal, demoDeal, demoWin } from "./deals.demo.ts";
import { DEMO_CLIENTS, DEMO_OPERATOR, DEMO_PARTNER, DEMO_SUB_PARTNER } from "./demo.ts";
import { DEMO_LEADS_OF_CLIENT, DEMO_LEADS_OF_HOUSE, DEMO_LEADS_PER_CONVERSION, demoLead } from "./leads.demo.ts";
import { lockFirstRun } from "./queries.ts";

export type FirstRun = { data_dir: string; base_url: string; seed: "demo" | "none" };
type Credentials = { email: string; password: string };
/** A context for a partner at an instant, inside the first run's transaction. */
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
  ]);
  return services.db.transaction(() => ({
    open: lockFirstRun,
    async run(tx: Queryable) {
      if (await programmeExists(tx)) return false;
      await insertProgramme(tx, services.clock.now());
      await fillProgramme(actingInside(services, tx), services.clock.now(), options, passwords);
      return true;
    },
    close: () => [],
  }));
}

function actingInside(services: Services, tx: Queryable): ActAs {
  const db = {
    ...services.db,
    transaction: <T>(makePlan: Parameters<typeof services.db.transaction<T>>[0]) => runInTransaction(tx, makePlan()),
  };
  return (partner_id, clock) => createContext({ ...services, db, clock }, { principal: { type: "system", partner_id } });
}

type Login = Credentials & { password_hash: string };

async function fillProgramme(actAs: ActAs, now: Date, options: FirstRun, [operator, owner, subOwner]: Login[]): Promise<void> {
  if (operator === undefined || owner === undefined || subOwner === undefined) throw new Error("a login is missing");
  const partner_id = newId("partner", daysBefore(now, 90).getTime());
  const operator_key = await createOperator(actAs(partner_id, fixedClock(now)), operator);
  const addresses = { base_url: options.base_url, partner_base_url: `${options.base_url}/v1/partners` };
  const credentials = ({ email, password }: Credentials) => ({ email, password });
  if (options.seed === "none") {
    return writeSecrets(options.data_dir, { ...addresses, operator_key, operator: credentials(operator) });
  }
  await createDemoPartner(actAs, partner_id, null, DEMO_PARTNER, owner, now);
  await createDemoPartner(actAs, newId("partner", daysBefore(now, 60).getTime()), partner_id, DEMO_SUB_PARTNER, subOwner, now);
  await createDemoContacts(actAs, partner_id, undefined, DEMO_CONTACTS_OF_HOUSE, now);
  await createDemoLeads(actAs, partner_id, undefined, DEMO_LEADS_OF_HOUSE, now);
  for (const sale of DEMO_SALES) await createDemoDeal(actAs, partner_id, sale, now);
  for (const [index, client] of DEMO_CLIENTS.entries()) {
    const account_id = await createDemoClient(actAs, partner_id, client, now);
    if (DEMO_SOLD.includes(client.company)) await createDemoDeal(actAs, partner_id, demoWin(client, account_id), now);
    if (client.path.at(-1)?.to !== "active") continue;
    await createDemoContacts(actAs, partner_id, account_id, DEMO_CONTACTS_OF_CLIENT, now);
    await createDemoLeads(actAs, partner_id, account_id, DEMO_LEADS_OF_CLIENT, now);
    for (let number = 0; number < DEMO_DEALS_OF_CLIENT; number += 1)
      await createDemoDeal(actAs, partner_id, demoDeal(number, index), now, account_id);
  }
  const api_key = await createDemoKey(actAs(partner_id, fixedClock(now)), "First key", ALL_SCOPES);
  await writeSecrets(options.data_dir, {
    ...addresses,
    portal_url: `${options.base_url}/portal`,
    partner_id,
    api_key,
    operator_key,
    owner: credentials(owner),
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
  const partner = { id, parent_id, company, grade, currency, branding, api_access: parent_id === null };
  const ctx = actAs(id, fixedClock(daysBefore(now, parent_id === null ? 90 : 60)));
  await createPartner(ctx, partner, { ...owner, partner_id: id, role: "owner", password_hash: login.password_hash });
}

async function createDemoClient(
  actAs: ActAs,
  partner_id: string,
  demo: (typeof DEMO_CLIENTS)[number],
  now: Date,
): Promise<string> {
  const { company, plan, mrr_cents, contact, days_ago, path } = demo;
  const ctx = actAs(partner_id, fixedClock(daysBefore(now, days_ago)));
  const { id } = await createClient(ctx, { company, plan, mrr_cents, contact, activate: false });
  for (const { to, days_ago, reason = null } of path) {
    await updateClient(actAs(partner_id, fixedClock(daysBefore(now, days_ago))), id, { status: to, reason });
  }
  return id;
}

/** Contacts of an account, by default the house account, one a day until today. */
async function createDemoContacts(actAs: ActAs, partner_id: string, account_id: string | undefined, count: number, now: Date) {
  for (let number = 0; number < count; number += 1) {
    const ctx = actAs(partner_id, fixedClock(daysBefore(now, count - number - 1)));
    await createContact(ctx, { ...demoContact(number), ...(account_id === undefined ? {} : { account_id }) });
  }
}

/** Leads of an account, by default the house account, one every other day until today; some are converted. */
async function createDemoLeads(actAs: ActAs, partner_id: string, account_id: string | undefined, count: number, now: Date) {
  for (let number = 0; number < count; number += 1) {
    const ctx = actAs(partner_id, fixedClock(daysBefore(now, 2 * (count - number - 1))));
    const { id } = await createLead(ctx, { ...demoLead(number), ...(account_id === undefined ? {} : { account_id }) });
    if (number % DEMO_LEADS_PER_CONVERSION === DEMO_LEADS_PER_CONVERSION / 2) await convertLead(ctx, id);
  }
}

/** A deal of an account, by default the house account, with its stage changes. */
async function createDemoDeal(actAs: ActAs, partner_id: string, demo: DemoDeal, now: Date, account_id?: string) {
  const { deal, days_ago, path } = demo;
  const at = (day: number) => actAs(partner_id, fixedClock(daysBefore(now, days_ago - day)));
  const { id } = await createDeal(at(0), { ...deal, ...(account_id === undefined ? {} : { account_id }) });
  for (const { day, ...move } of path) await changeStage(at(day), id, move);
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

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}
