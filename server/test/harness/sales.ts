import {
  amendSale,
  provisionClient,
  reclaimSale,
  registerSale,
  releaseSale,
  requireMovable,
} from "../../src/features/crm/deals/registration/commands.ts";
import { registrationJobs } from "../../src/features/crm/deals/registration/jobs.ts";
import type { Registration, Sale } from "../../src/features/crm/deals/registration/model.ts";
import { type ErrorCode, Refusal } from "../../src/kernel/errors.ts";
import { newId } from "../../src/kernel/ids.ts";
import { statement } from "../../src/platform/db/statement.ts";
import { createContext } from "../../src/platform/record/context.ts";
import type { Tx } from "../../src/platform/record/tx.ts";
import { ADMIN, type Json, type TestPartner, type World } from "./world.ts";

const insertDeal = statement(`
  insert into deals (partner_id, id, account_id, sale, pipeline_id, stage_id, status, stage_entered_at, name, currency, company,
    company_domain, contact, plan, mrr_cents, client_id, created_at, updated_at)
  select $1, $2, p.account_id, true, p.id, s.id, 'open', $3, 'Sale', $4, $5, $6, $7, $8, $9, $10, $3, $3
  from pipelines p join stages s on s.partner_id = p.partner_id and s.pipeline_id = p.id and s.name = $11
  where p.partner_id = $1 and p.id = $12`);

/** A pipeline of the partner's house account, made where it has none. */
async function pipelineOf({ db }: World, { partner_id }: TestPartner): Promise<string> {
  const find = () =>
    db.sql<{ id: string }>(
      `select p.id from pipelines p join clients c on c.partner_id = p.partner_id and c.id = p.account_id and c.house
       where p.partner_id = $1 and p.is_default`,
      [partner_id],
    );
  const [known] = await find();
  if (known !== undefined) return known.id;
  await db.sql(
    `with made as (
       insert into pipelines (partner_id, id, account_id, name, is_default, created_at, updated_at)
       select c.partner_id, $2, c.id, 'Sales', true, now(), now() from clients c where c.partner_id = $1 and c.house
       on conflict do nothing returning partner_id, id
     )
     insert into stages (partner_id, id, pipeline_id, name, position, type, probability)
     select m.partner_id, 'stg_' || substr($2, 5, 25) || s.position, m.id, s.name, s.position, s.type, s.probability
     from made m, (values ('New', 0, 'open', 10), ('Won', 1, 'won', 100), ('Lost', 2, 'lost', 0)) s (name, position, type, probability)`,
    [partner_id, newId("pipeline", Date.now())],
  );
  return (await find())[0]?.id ?? "";
}

export async function newSaleFields(world: World, partner: TestPartner, fields: Partial<Sale> = {}): Promise<Sale> {
  return {
    deal_id: newId("deal", world.clock.now().getTime()),
    company: null,
    company_domain: null,
    contact: null,
    plan: "Growth",
    mrr_cents: 49_900,
    currency: "usd",
    client_id: null,
    pipeline_id: await pipelineOf(world, partner),
    stage: "New",
    ...fields,
  };
}

/** Something of a partner's in a transaction, as the service itself. */
export function act<T>(
  world: World,
  { partner_id }: TestPartner,
  body: (ctx: ReturnType<typeof createContext>, tx: Tx) => Promise<T>,
) {
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id } });
  return ctx.tx((tx) => body(ctx, tx));
}

/** Inserts the deal of a sale and registers it, in one transaction. */
export function register(world: World, partner: TestPartner, sale: Sale): Promise<Registration> {
  return act(world, partner, async (ctx, tx) => {
    const { company, company_domain, contact, plan, mrr_cents, currency, client_id, stage, pipeline_id } = sale;
    const sold = [company, company_domain, contact, plan, mrr_cents, client_id];
    await tx.query(insertDeal, [partner.partner_id, sale.deal_id, tx.now, currency, ...sold, stage, pipeline_id]);
    return registerSale(ctx, tx, sale);
  });
}

/** A registered sale of a partner. */
export async function newSale(world: World, partner: TestPartner, fields: Partial<Sale> = {}): Promise<Sale> {
  const sale = await newSaleFields(world, partner, fields);
  await register(world, partner, sale);
  return sale;
}

export const amend = (world: World, partner: TestPartner, before: Sale, after: Sale) =>
  act(world, partner, (ctx, tx) => amendSale(ctx, tx, before, after));
export const release = (world: World, partner: TestPartner, { deal_id }: Sale) =>
  act(world, partner, (ctx, tx) => releaseSale(ctx, tx, deal_id));
export const reclaim = (world: World, partner: TestPartner, sale: Sale) =>
  act(world, partner, (ctx, tx) => reclaimSale(ctx, tx, sale));
export const refuseMove = (world: World, partner: TestPartner, { deal_id }: Sale) =>
  act(world, partner, (ctx, tx) => requireMovable(ctx, tx, deal_id));
export const provision = (world: World, partner: TestPartner, sale: Sale) =>
  act(world, partner, (ctx, tx) => provisionClient(ctx, tx, sale));

/** What something was refused with, or null when it was not. */
export async function refusalOf(
  doing: Promise<unknown>,
): Promise<{ code: ErrorCode; text: string; meta: Record<string, unknown> } | null> {
  try {
    await doing;
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, explanation } = error;
    return { code, text: JSON.stringify([message, explanation]), meta: explanation.meta ?? {} };
  }
}

export const conflictOf = (doing: Promise<unknown>) => refusalOf(doing).then((refusal) => refusal?.code ?? null);

let companies = 0;

/** The name of a company that nobody else knows. */
export function nextCompany(): string {
  companies += 1;
  return `Harbour ${companies} Dental`;
}

/** So many days from now, as the API writes it. */
export const later = ({ clock }: World, days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString();
export const DAY_MS = 86_400_000;

/** Ends what has ended, as the scheduled job does. */
export async function expireSales({ app, clock }: World): Promise<string> {
  const { db } = app.services;
  const [job] = registrationJobs(app.services);
  if (job === undefined) throw new Error("there is no job");
  return job.run({ db, owner: db, clock });
}

/** Changes the programme's settings. */
export async function setProgramme(world: World, operator: string, body: object): Promise<void> {
  const options = { key: operator, body, headers: { "if-match": "*" } };
  const { status, text } = await world.call("PATCH", `${ADMIN}/programme`, options);
  if (status !== 200) throw new Error(text);
}

/** A registration as the operator sees it. */
export async function registrationOf(world: World, operator: string, { deal_id }: Sale): Promise<Json> {
  return (await world.call("GET", `${ADMIN}/registrations/${deal_id}`, { key: operator })).body;
}
