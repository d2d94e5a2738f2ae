/**
 * People as an account really has them: a few names are frequent and most are rare, companies share their words, mail is at a few large
 * providers or at the company. The same number always gives the same person, and no two share an address or a phone.
 */
export type Person = { name: string; phone: string; email: string; company: string };

const FIRST =
  "Maria James Anna Mohamed Sofia Daniel Lena Wei Fatima Lucas Emma David Aisha Pedro Julia Ivan Chloe Omar Nora Kenji Laura Samuel Ines Arjun Elena Thomas Yuki Leila Marco Hannah Kwame Clara Andrei Priya Jonas Amara Felix Rosa Hugo Mina Tariq Greta Diego Nadia Oskar Zainab Paul Irina Emil Ada Mateo Freya Rashid Alma Viktor Esme Bruno Selma Idris Petra Caleb Noor Anton Mira Gustav Dalia Simon Yara Ravi Tessa Milan Eva Jorge Signe Hassan Olga Victor Lin Stella Abdul".split(
    " ",
  );
const LAST =
  "Smith Garcia Müller Nguyen Johnson Silva Kim Ali Rossi Martin Andersson Khan Novak Lopez Tanaka Schmidt Okafor Dubois Ivanova Chen Hansen Santos Kowalski Patel Brown Jansen Haddad Moreau Petrov Fischer Mensah Costa Weber Larsen Sato Romero Popescu Walsh Demir Becker".split(
    " ",
  );
/** Most surnames are rare: these are made of two parts. */
const ROOTS =
  "Ahl Berg Blom Brand Carl Dahl Eich Falk Fjeld Gran Grün Hagen Holm Kast Kirch Klein Lind Lund Mark Mühl Nord Oster Palm Quist Rosen Sand Schön Stein Strand Sund Thor Ulm Vester Wald Wester Wind Zimm Aker Bor Cal Dor Fer Gal Mal Mor Pal Sal Tar Val".split(
    " ",
  );
const ENDINGS =
  "berg mann sen ström quist gaard stad feld bach thal ova escu wicz ini etti ano ez ides oglu yan adze enko ski ley ton worth ham by field well ner er in aux eau ard olt mar den gren lund".split(
    " ",
  );
const WORDS =
  "Harbour North Blue Summit River Cedar Bright Alpine Union Garden Silver Corner Atlas Meadow Coastal Central Maple Stone Urban Golden Prime Anchor Orchard Lantern Willow Falcon Granite Juniper Beacon Crescent".split(
    " ",
  );
const TRADES =
  "Dental Bakery Consulting Plumbing Studio Logistics Clinic Legal Motors Fitness Interiors Software Catering Roofing Travel Optics Florists Print Security Electric Veterinary Academy Tiling Wines Realty Salon Machining Timber Media Farms".split(
    " ",
  );
const PROVIDERS = "mail post inbox fastbox webmail letter homenet citymail".split(" ").map((name) => `${name}.example`);

/** A well-mixed number from 0 to 1 for each number and purpose. */
function chance(number: number, purpose: number): number {
  let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

const uniform = (items: readonly string[], share: number) => items[Math.floor(share * items.length)] ?? "";

/** The first of a list are much more frequent than the last, as names are. */
const skewed = (items: readonly string[], share: number) => uniform(items, share ** 3);

export function personOf(number: number): Person {
  const first = skewed(FIRST, chance(number, 1));
  const rare = chance(number, 2) < 0.7;
  const last = rare ? uniform(ROOTS, chance(number, 3)) + skewed(ENDINGS, chance(number, 4)) : skewed(LAST, chance(number, 3));
  const company = companyOf(Math.floor(chance(number, 5) ** 2 * (50 + number / 10)));
  const domain = chance(number, 6) < 0.5 ? skewed(PROVIDERS, chance(number, 7)) : `${plain(company)}.example`;
  const name = `${first} ${last}`;
  return { name, company, email: `${plain(first)}.${plain(last)}${number}@${domain}`, phone: phoneOf(number) };
}

function companyOf(number: number): string {
  const owner = uniform(ROOTS, chance(number, 8)) + uniform(ENDINGS, chance(number, 9));
  return `${chance(number, 10) < 0.5 ? owner : uniform(WORDS, chance(number, 11))} ${skewed(TRADES, chance(number, 12))}`;
}

/** Digits in no order, and none twice: the factor has no divisor in common with the range. */
function phoneOf(number: number): string {
  return `+1415${2_000_000 + ((number * 2_654_435) % 7_999_993)}`;
}

function plain(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[^a-z]/gi, "")
    .toLowerCase();
}
