import { type Clock, fixedClock } from "../../kernel/clock.ts";
import { type Context, createContext, type Services } from "../../platform/record/context.ts";
import { createClient, updateClient } from "../accounts/clients/index.ts";
import { accountForNew } from "../accounts/custom-fields/index.ts";
import { pipelineFor, updatePipeline } from "../accounts/pipelines/index.ts";
import { createTag } from "../accounts/tags/index.ts";
import { createTemplate } from "../accounts/templates/index.ts";
import { createContact } from "../crm/contacts/index.ts";
import { changeStage, createDeal } from "../crm/deals/index.ts";
import { convertLead, createLead } from "../crm/leads/index.ts";
import { agentSteps } from "./agents.commands.ts";
import { billingSteps } from "./billing.commands.ts";
import { DEMO_TAGS, DEMO_TEMPLATES } from "./configuration.demo.ts";
import { DEMO_CONTACTS_OF_CLIENT, DEMO_CONTACTS_OF_HOUSE, demoContact } from "./contacts.demo.ts";
import { DEMO_DEALS_OF_CLIENT, DEMO_SALES, DEMO_SOLD, DEMO_TARGETS, type DemoDeal, demoDeal, demoWin } from "./deals.demo.ts";
import {
  type Actor,
  DEMO_CLIENTS,
  DEMO_PARTNER,
  DEMO_PARTNER_DAYS,
  DEMO_SUB_PARTNER,
  DEMO_SUB_PARTNER_DAYS,
  type DemoClient,
  daysBefore,
  type Step,
} from "./demo.ts";
import { inboxSteps } from "./inbox.commands.ts";
import { DEMO_LEADS_OF_CLIENT, DEMO_LEADS_OF_HOUSE, DEMO_LEADS_PER_CONVERSION, demoLead } from "./leads.demo.ts";
import { type DemoLinks, demoLinks } from "./links.commands.ts";
import { marketplaceSteps } from "./marketplace.commands.ts";
import { bookSteps, catalogueSteps, chargeSteps } from "./money.commands.ts";
import { DEMO_SUB_CLIENTS } from "./money.demo.ts";
import { payoutSteps } from "./payouts.commands.ts";
import { snapshotSteps } from "./snapshots.commands.ts";

/** The account of a record, known once it is created; undefined for the house account. */
type AccountOf = () => { account_id?: string };
const inHouse: AccountOf = () => ({});

/** A client needs an account for this long to have records in it. */
const RECORDS_DAYS = 26;

/** Clients by their company. */
type Clients = Map<string, string>;

/** Charges by their external id. */
type Charges = Map<string, string>;

/** The house account has its pipeline before its first sale. */
const TARGETS_DAYS_AGO = DEMO_PARTNER_DAYS - 0.5;

/** Creates the records of the demo partners by the commands of the API, each at its time and all of them in the order of time. */
export async function createDemoRecords(
  servicesAt: (clock: Clock) => Services,
  actors: Record<Actor, string>,
  now: Date,
): Promise<Clients> {
  const clients: Clients = new Map();
  const charges: Charges = new Map();
  const links = demoLinks();
  const { partner: partner_id, sub_partner } = actors;
  const steps: Step[] = [
    ...catalogueSteps(partner_id),
    { days_ago: TARGETS_DAYS_AGO, act: setTargets },
    ...contactSteps(inHouse, DEMO_CONTACTS_OF_HOUSE),
    ...leadSteps(inHouse, DEMO_LEADS_OF_HOUSE, links),
    ...DEMO_SALES.flatMap((sale) => dealSteps(inHouse, sale, links)),
    ...DEMO_CLIENTS.flatMap((demo, index) => clientSteps(demo, index, clients, charges, links)),
    ...DEMO_SUB_CLIENTS.flatMap((demo) => soldSteps("sub_partner", demo, clients, charges, links)),
    ...bookSteps(partner_id, clients, charges),
    ...payoutSteps(partner_id, sub_partner, now),
    ...links.steps,
    ...marketplaceSteps(),
    ...snapshotSteps(clients),
    ...inboxSteps(clients),
    ...billingSteps(clients),
    ...agentSteps(clients),
  ];
  for (const { days_ago, by = "partner", act } of steps.toSorted((a, b) => b.days_ago - a.days_ago)) {
    const services = servicesAt(fixedClock(daysBefore(now, days_ago)));
    await act(createContext(services, { principal: { type: "system", partner_id: actors[by] } }), services);
  }
  return clients;
}

/** Gives the stages of the house account their targets. */
async function setTargets(ctx: Context): Promise<void> {
  const { id, stages } = await ctx.tx(async (tx) => {
    const house = await accountForNew(ctx, tx, "deal", undefined);
    return pipelineFor(ctx, tx, house.id, null);
  });
  await updatePipeline(ctx, id, {
    stages: stages.map((stage) => ({ ...stage, target_days: DEMO_TARGETS[stage.name] ?? null })),
  });
}

/** A client that was created, or won by a sale, with its changes of status and the records in its account. */
function clientSteps(
  demo: (typeof DEMO_CLIENTS)[number],
  index: number,
  clients: Clients,
  charges: Charges,
  links: DemoLinks,
): Step[] {
  const { company, plan, mrr_cents, contact, days_ago, path } = demo;
  const idOf = () => clients.get(company) ?? "";
  const created: Step[] = DEMO_SOLD.includes(company)
    ? soldSteps("partner", demo, clients, charges, links)
    : [
        {
          days_ago,
          async act(ctx) {
            const { id } = await createClient(ctx, { company, plan, mrr_cents, contact, activate: false });
            clients.set(company, id);
          },
        },
      ];
  const changed = path.map(({ to, days_ago, reason = null }) => ({
    days_ago,
    act: (ctx: Context) => updateClient(ctx, idOf(), { status: to, reason }),
  }));
  const last = path.at(-1);
  if (last?.to !== "active" || last.days_ago < RECORDS_DAYS) return [...created, ...changed];
  const inAccount: AccountOf = () => ({ account_id: idOf() });
  const deals = Array.from({ length: DEMO_DEALS_OF_CLIENT }, (_, number) => dealSteps(inAccount, demoDeal(number, index)));
  return [
    ...created,
    ...changed,
    { days_ago: last.days_ago, act: (ctx) => configure(ctx, inAccount()) },
    ...contactSteps(inAccount, DEMO_CONTACTS_OF_CLIENT),
    ...leadSteps(inAccount, DEMO_LEADS_OF_CLIENT),
    ...deals.flat(),
  ];
}

/** Gives an account its tags and templates. */
async function configure(ctx: Context, account: ReturnType<AccountOf>): Promise<void> {
  for (const tag of DEMO_TAGS) await createTag(ctx, { ...tag, ...account });
  for (const template of DEMO_TEMPLATES) await createTemplate(ctx, { ...template, ...account });
}

/** A client that was won by a sale, and what it paid since. */
function soldSteps(
  by: "partner" | "sub_partner",
  demo: DemoClient,
  clients: Clients,
  charges: Charges,
  links: DemoLinks,
): Step[] {
  const [days, { currency }] = by === "partner" ? [DEMO_PARTNER_DAYS, DEMO_PARTNER] : [DEMO_SUB_PARTNER_DAYS, DEMO_SUB_PARTNER];
  const sale = dealSteps(inHouse, demoWin(demo, days), links, ({ client_id }) => {
    if (client_id !== null) clients.set(demo.company, client_id);
  });
  return [...sale.map((step) => ({ ...step, by })), ...chargeSteps(by, demo, currency, clients, charges)];
}

/** One contact a day until today. */
function contactSteps(accountOf: AccountOf, count: number): Step[] {
  return Array.from({ length: count }, (_, number) => ({
    days_ago: count - number - 1,
    act: (ctx: Context) => createContact(ctx, { ...demoContact(number), ...accountOf() }),
  }));
}

/** One lead every other day until today; some are converted. */
function leadSteps(accountOf: AccountOf, count: number, links?: DemoLinks): Step[] {
  return Array.from({ length: count }, (_, number) => ({
    days_ago: 2 * (count - number - 1),
    async act(ctx: Context) {
      const lead = demoLead(number);
      const source = { ...lead.source, ...links?.clickOf(ctx, lead.source?.kind ?? "") };
      const { id } = await createLead(ctx, { ...lead, source, ...accountOf() });
      if (number % DEMO_LEADS_PER_CONVERSION === DEMO_LEADS_PER_CONVERSION / 2) await convertLead(ctx, id);
    },
  }));
}

/** A deal with its stage changes. */
function dealSteps(
  accountOf: AccountOf,
  { deal, days_ago, path }: DemoDeal,
  links?: DemoLinks,
  onMove: (moved: { client_id: string | null }) => void = () => undefined,
): Step[] {
  let id = "";
  return [
    {
      days_ago,
      async act(ctx) {
        ({ id } = await createDeal(ctx, { ...deal, ...links?.clickOf(ctx, deal.company ?? ""), ...accountOf() }));
      },
    },
    ...path.map(({ day, ...move }) => ({
      days_ago: days_ago - day,
      act: async (ctx: Context) => onMove(await changeStage(ctx, id, move)),
    })),
  ];
}
