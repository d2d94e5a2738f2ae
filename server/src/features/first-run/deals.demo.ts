import type { DealCreate } from "../crm/deals/index.ts";
import type { DemoClient } from "./demo.ts";

/** A stage change, and how many days after the deal was created it was. */
export type Step = { stage: string; day: number; lost_reason?: string };
export type DemoDeal = { deal: DealCreate; days_ago: number; path: Step[] };

const UP_TO = ["Qualified", "Proposal", "Negotiation"];

/** The first stages in order and then the last step, at equal intervals. */
function pathTo(steps: number, every_days: number, last?: Omit<Step, "day">): Step[] {
  const path: Step[] = UP_TO.slice(0, steps).map((stage, index) => ({ stage, day: (index + 1) * every_days }));
  return last === undefined ? path : [...path, { ...last, day: (steps + 1) * every_days }];
}

/** Demo clients that were won by a sale on the day they became clients. */
export const DEMO_SOLD = ["Harbour Dental", "Stone & Sons Roofing", "Kite & Anchor", "Morrow Legal", "Quill Bookkeeping"];

/** The sale by which a client was won. No sale is older than the partner. */
export function demoWin({ company, plan, mrr_cents, contact, days_ago }: DemoClient, partner_days: number): DemoDeal {
  const every_days = Math.min(5, (partner_days - 1 - days_ago) / 4);
  const path = pathTo(3, every_days, { stage: "Won" });
  return { deal: { company, plan, mrr_cents, contact }, days_ago: days_ago + 4 * every_days, path };
}

function sale(company: string, contact: string, plan: string, mrr_cents: number, days_ago: number, path: Step[]): DemoDeal {
  const company_domain = `${company.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.example`;
  const email = `${contact.toLowerCase().split(" ")[0]}@${company_domain}`;
  return { deal: { company, company_domain, contact: { name: contact, email }, plan, mrr_cents }, days_ago, path };
}

/** Targets of the stages, in days. Amber Veterinary is over its own. */
export const DEMO_TARGETS: Record<string, number> = { New: 7, Qualified: 14, Proposal: 21, Negotiation: 21 };

export const DEMO_SALES: DemoDeal[] = [
  // Its protection ends in ten days.
  sale("Juniper Hotels", "Noa Berger", "Growth", 59_900, 80, pathTo(3, 22)),
  sale("Amber Veterinary", "Rosa Keller", "Growth", 49_900, 34, pathTo(1, 9)),
  sale("Cobalt Cycles", "Wim de Boer", "Starter", 14_900, 28, pathTo(2, 6)),
  sale("Dune Architects", "Salma Idrissi", "Scale", 159_000, 41, pathTo(3, 10)),
  sale("Ember Coffee", "Kofi Boateng", "Starter", 9_900, 6, []),
  sale("Foxglove Florists", "Edie Marsh", "Growth", 59_900, 3, []),
  sale("Gull Island Ferries", "Lars Holm", "Scale", 189_000, 22, pathTo(2, 8)),
  sale("Heron Yachts", "Dora Papas", "Scale", 129_000, 60, pathTo(2, 7, { stage: "Lost", lost_reason: "Chose another tool" })),
  sale(
    "Indigo Records",
    "Theo Brandt",
    "Starter",
    9_900,
    52,
    pathTo(1, 12, { stage: "Lost", lost_reason: "No budget this year" }),
  ),
  sale("Larch Timber", "Yara Costa", "Growth", 49_900, 47, pathTo(3, 6, { stage: "Lost", lost_reason: "Too expensive" })),
];

const NAMES = ["Annual package", "Ten sessions", "First order", "Refit of the shop", "Consultation"];
const AMOUNTS = [240_000, 75_000, 38_500, 1_250_000, 12_000];
/** The paths of deals, as parts of their age. */
const PATHS = [
  pathTo(3, 0.2, { stage: "Won" }),
  pathTo(1, 0.4),
  pathTo(2, 0.3, { stage: "Lost", lost_reason: "Went quiet" }),
  pathTo(2, 0.25),
  pathTo(1, 0.1, { stage: "Won" }),
];

export const DEMO_DEALS_OF_CLIENT = NAMES.length;

/** A deal of a client with its own customers; amounts differ by client. */
export function demoDeal(number: number, of_client: number): DemoDeal {
  const at = number % NAMES.length;
  const amount_cents = Math.round((AMOUNTS[at] ?? 0) * (1 + of_client / 4));
  const days_ago = 6 + 4 * at;
  const path = (PATHS[(at + of_client) % PATHS.length] ?? []).map((step) => ({ ...step, day: step.day * days_ago }));
  return { deal: { name: NAMES[at] ?? "Deal", amount_cents }, days_ago, path };
}
