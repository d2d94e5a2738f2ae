import type { LeadCreate } from "../crm/leads/index.ts";

const PEOPLE = [
  "Anouk Visser",
  "Bashir Karimi",
  "Carla Pinto",
  "Dmitri Volkov",
  "Esther Mbeki",
  "Finn Larsen",
  "Gabriela Rojas",
  "Hiro Matsuda",
  "Isla Fraser",
  "Jamal Carter",
  "Katarina Novak",
  "Luca Bianchi",
  "Mona Farouk",
  "Niklas Weber",
  "Oona Salmi",
  "Pedro Alves",
];
const COMPANIES = ["Fern & Field", "Granite Gyms", null, "Hazel Optics", "Ivy Lane School", null, "Juniper Spa"];
const COUNTRIES = ["US", "DE", "GB", null, "NL"];
const NOTES = ["Asked for prices.", null, "Wants to be called after five.", null];
const SOURCES: NonNullable<LeadCreate["source"]>[] = [
  {
    kind: "ad",
    name: "Search ads",
    click_id: "demo-click-1",
    utm: { source: "search", medium: "cpc", campaign: "spring-sale", term: "appointment software" },
  },
  { kind: "form", name: "Contact form", url: "https://northwind.example/contact", referrer: "https://search.example/" },
  { kind: "referral", name: "A happy customer" },
  { kind: "form", name: "Newsletter", utm: { source: "newsletter", medium: "email", campaign: "autumn-letter" } },
  { kind: "chat", name: "Web chat" },
  { kind: "affiliate", name: "Partner blog", utm: { source: "blog", medium: "affiliate" } },
];
const STATUSES: Pick<LeadCreate, "status" | "reason">[] = [
  { status: "new" },
  { status: "working" },
  { status: "qualified" },
  { status: "qualified" },
  { status: "working" },
  { status: "disqualified", reason: "No budget this year" },
  { status: "new" },
];

/** A lead by its number: deterministic, with a unique phone and address. Some have no phone. */
export function demoLead(number: number): LeadCreate {
  const of = <T>(list: readonly T[]) => list[number % list.length] as T;
  const name = of(PEOPLE);
  return {
    name,
    phone: number % 3 === 2 ? null : `+120655501${String(number % 100).padStart(2, "0")}`,
    email: `${name.toLowerCase().replaceAll(" ", ".")}${number}@lead.example`,
    company: of(COMPANIES),
    country: of(COUNTRIES),
    notes: of(NOTES),
    source: of(SOURCES),
    tags: number % 4 === 0 ? ["hot"] : [],
    ...of(STATUSES),
  };
}

export const DEMO_LEADS_OF_HOUSE = 18;
export const DEMO_LEADS_OF_CLIENT = 6;
/** One of so many leads is converted. */
export const DEMO_LEADS_PER_CONVERSION = 6;
