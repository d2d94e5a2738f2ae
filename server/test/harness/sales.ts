import { accountForChange, accountForNew } from "../../src/features/accounts/custom-fields/index.ts";
import { addDeal, changeDeal, changeStage, type Deal, type DealCreate, lockDeal } from "../../src/features/crm/deals/index.ts";
import { registrationJobs } from "../../src/features/crm/deals/registration/jobs.ts";
import { type ErrorCode, Refusal } from "../../src/kernel/errors.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { ADMIN, type Json, type TestPartner, type World } from "./world.ts";

/** A sale as the tests send it. */
export type SaleFields = Pick<DealCreate, "company_domain" | "contact" | "plan" | "mrr_cents" | "client_id"> & {
  company: string;
};
export type Sale = SaleFields & { deal_id: string };

/** The service itself acting for a partner. */
const actingFor = ({ app }: World, { partner_id }: TestPartner) =>
  createContext(app.services, { principal: { type: "system", partner_id } });

/** A registered sale of a partner, to a company that nobody else has by default. */
export async function newSale(world: World, partner: TestPartner, fields: Partial<SaleFields> = {}): Promise<Sale> {
  const sale = { company: nextCompany(), plan: "Growth", mrr_cents: 49_900, ...fields };
  const ctx = actingFor(world, partner);
  const deal = await ctx.tx(async (tx) => addDeal(ctx, tx, await accountForNew(ctx, tx, "deal", undefined), sale));
  return { ...sale, deal_id: deal.id };
}

/** Changes fields of a sale. */
export function amend(world: World, partner: TestPartner, { deal_id }: Sale, patch: Partial<SaleFields>): Promise<Deal> {
  const ctx = actingFor(world, partner);
  return ctx.tx(async (tx) => {
    const before = await lockDeal(ctx, tx, deal_id);
    return changeDeal(ctx, tx, await accountForChange(ctx, tx, "deal", before.account_id), before, patch);
  });
}

const move = (world: World, partner: TestPartner, { deal_id }: Sale, stage: string, dry_run = false) =>
  changeStage(actingFor(world, partner), deal_id, { stage, dry_run });

/** Loses a sale. */
export const release = (world: World, partner: TestPartner, sale: Sale) => move(world, partner, sale, "Lost");
/** Opens a sale again. */
export const reclaim = (world: World, partner: TestPartner, sale: Sale) => move(world, partner, sale, "New");
/** Tries to move a sale, and changes nothing. */
export const tryMove = (world: World, partner: TestPartner, sale: Sale) => move(world, partner, sale, "Qualified", true);
/** Wins a sale, and gives the id of its client. */
export const provision = async (world: World, partner: TestPartner, sale: Sale) =>
  (await move(world, partner, sale, "Won")).client_id;

/** The refusal of a call, or null when it succeeds. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ code: ErrorCode; text: string; meta: Record<string, unknown> } | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, explanation } = error;
    return { code, text: JSON.stringify([message, explanation]), meta: explanation.meta ?? {} };
  }
}

export const conflictOf = (call: Promise<unknown>) => refusalOf(call).then((refusal) => refusal?.code ?? null);

let companies = 0;

/** The name of a company that no other test uses. */
export function nextCompany(): string {
  companies += 1;
  return `Harbour ${companies} Dental`;
}

/** A number of days from now, in the format of the API. */
export const later = ({ clock }: World, days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString();
export const DAY_MS = 86_400_000;

/** Runs the scheduled job that expires registrations. */
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
export async function registrationOf(world: World, operator: string, { deal_id }: Pick<Sale, "deal_id">): Promise<Json> {
  return (await world.call("GET", `${ADMIN}/registrations/${deal_id}`, { key: operator })).body;
}
