import type { ContactCreate } from "../crm/contacts/index.ts";

const FIRST = [
  "Amara",
  "Bruno",
  "Chiara",
  "Diego",
  "Elif",
  "Farid",
  "Greta",
  "Hugo",
  "Ivana",
  "Jonas",
  "Keiko",
  "Liam",
  "Maya",
  "Noor",
  "Oskar",
  "Priya",
];
const LAST = [
  "Abebe",
  "Bergström",
  "Castillo",
  "Dubois",
  "Eriksen",
  "Fontana",
  "Gupta",
  "Hoffmann",
  "Ibrahim",
  "Jansen",
  "Kowalski",
  "Lopes",
  "Moreau",
];
const COMPANIES = ["Alder & Finch", "Birchwood Clinic", "Corner Bakery", "Delta Motors", "Elm Street Yoga", null];
const TAGS = [["newsletter"], ["vip", "newsletter"], ["trial"], [], ["referral"]];
const NOTES = ["Prefers to be called in the morning.", "Met at the spring fair.", "Asked for an offer in writing.", null, null];
/** Phone numbers reserved for fiction: the area code, 555 and 01 with two digits. */
const AREAS = [202, 303, 415, 512, 617, 702];

/** A contact by its number: deterministic, with a unique phone and address. */
export function demoContact(number: number): ContactCreate {
  const of = <T>(list: readonly T[]) => list[number % list.length] as T;
  const [first, last] = [of(FIRST), of(LAST)];
  const mailbox = `${first}.${last}`
    .normalize("NFD")
    .replaceAll(/[^A-Za-z.]/g, "")
    .toLowerCase();
  return {
    name: `${first} ${last}`,
    phone: `+1${AREAS[Math.floor(number / 100) % AREAS.length]}55501${String(number % 100).padStart(2, "0")}`,
    email: number % 4 === 3 ? null : `${mailbox}${number}@mail.example`,
    company: of(COMPANIES),
    tags: of(TAGS),
    notes: of(NOTES),
  };
}

export const DEMO_CONTACTS_OF_HOUSE = 40;
export const DEMO_CONTACTS_OF_CLIENT = 12;
