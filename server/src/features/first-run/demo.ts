import type { Context, Services } from "../../platform/record/context.ts";
import type { ClientStatus } from "../accounts/clients/index.ts";

/** Who does something in the demo programme. */
export type Actor = "partner" | "sub_partner" | "operator";

/** What was done in the demo programme, when, and by whom: by default the demo partner. */
export type Step = { days_ago: number; by?: Actor; act(ctx: Context, services: Services): Promise<unknown> };

/** How long ago the partners joined. */
export const DEMO_PARTNER_DAYS = 200;
export const DEMO_SUB_PARTNER_DAYS = 165;

/** The demo programme: two partners, one below the other, and a dozen clients in every status. */
export const DEMO_PARTNER = {
  company: "Northwind Agency",
  grade: "gold",
  currency: "usd",
  branding: { product_name: "Northwind CRM", primary_color: "#0b7285", support_email: "help@northwind.example" },
  owner: { name: "Nora Lindqvist", email: "nora@northwind.example" },
};

export const DEMO_SUB_PARTNER = {
  company: "Fjord Studio",
  grade: "registered",
  currency: "eur",
  branding: { product_name: "Fjord Desk" },
  owner: { name: "Aksel Berg", email: "aksel@fjord.example" },
};

/** A person of a client, who sees the account of that client alone. */
export const DEMO_CLIENT_USER = { name: "Ada Okafor", email: "ada@harbour-dental.example", company: "Harbour Dental" };

export const DEMO_OPERATOR = { name: "Olu Adeyemi", email: "operator@tributary.example" };

export type DemoClient = {
  company: string;
  plan: string | null;
  mrr_cents: number;
  contact: { name: string; email: string };
  /** How long ago it was created, and its changes of status since. */
  days_ago: number;
  path: { to: ClientStatus; days_ago: number; reason?: string }[];
};

export function client(
  company: string,
  contact: string,
  plan: string | null,
  mrr_cents: number,
  days_ago: number,
  path: DemoClient["path"],
): DemoClient {
  const host = `${company.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.example`;
  const mailbox = contact.toLowerCase().split(" ")[0] ?? "hello";
  return { company, plan, mrr_cents, contact: { name: contact, email: `${mailbox}@${host}` }, days_ago, path };
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

export const DEMO_CLIENTS: DemoClient[] = [
  client("Harbour Dental", "Ada Okafor", "Growth", 49_900, 183, [{ to: "active", days_ago: 183 }]),
  client("Blue Lantern Travel", "Marco Ruiz", "Scale", 129_000, 165, [{ to: "active", days_ago: 164 }]),
  client("Okapi Fitness", "Leila Haddad", "Starter", 9_900, 150, [
    { to: "active", days_ago: 150 },
    { to: "suspended", days_ago: 12, reason: "Invoice overdue" },
  ]),
  client("Stone & Sons Roofing", "Peter Stone", "Growth", 49_900, 131, [{ to: "active", days_ago: 130 }]),
  client("Verde Kitchens", "Giulia Conti", "Growth", 59_900, 118, [
    { to: "active", days_ago: 118 },
    { to: "churned", days_ago: 9, reason: "Moved to an in-house tool" },
  ]),
  client("Kite & Anchor", "Hanna Virtanen", "Starter", 9_900, 96, [
    { to: "active", days_ago: 96 },
    { to: "suspended", days_ago: 30, reason: "Invoice overdue" },
    { to: "active", days_ago: 26 },
  ]),
  client("Morrow Legal", "James Morrow", "Scale", 189_000, 69, [{ to: "active", days_ago: 68 }]),
  client("Papaya Prints", "Sofia Mendes", "Starter", 9_900, 55, [
    { to: "active", days_ago: 55 },
    { to: "churned", days_ago: 21, reason: "Closed the business" },
    { to: "active", days_ago: 5, reason: "Came back with a new shop" },
  ]),
  client("Quill Bookkeeping", "Tom Becker", "Growth", 49_900, 38, [{ to: "active", days_ago: 38 }]),
  client("Redwood Physio", "Mei Tanaka", "Starter", 14_900, 19, [
    { to: "active", days_ago: 19 },
    { to: "suspended", days_ago: 2, reason: "Asked for a pause" },
  ]),
  client("Sable Interiors", "Ines Laurent", null, 0, 6, []),
  client("Tern Logistics", "Emeka Obi", "Scale", 159_000, 1, []),
];
