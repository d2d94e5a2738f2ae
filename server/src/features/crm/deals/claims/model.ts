import providers from "email-providers/all.json" with { type: "json" };
import { parse } from "tldts";
import { readPhone } from "../../../../kernel/phone.ts";

/** One of the values that identify a company. Each has at most one holder at a time, over all partners. */
export type Claim = { kind: "domain" | "name" | "phone"; value: string };

/** A company as a deal or a request describes it. */
export type Company = {
  company?: string | null | undefined;
  company_domain?: string | null | undefined;
  contact?: { email?: string | null | undefined; phone?: string | null | undefined } | null | undefined;
};

/** Every value that identifies a company, without duplicates. */
export function claimsOf({ company, company_domain, contact }: Company): Claim[] {
  const claims = new Map<string, Claim>();
  const add = (kind: Claim["kind"], value: string | null) => {
    if (value !== null) claims.set(`${kind} ${value}`, { kind, value });
  };
  add("domain", domainOf(company_domain ?? ""));
  add("domain", domainOf(contact?.email ?? ""));
  add("name", nameOf(company ?? ""));
  add("phone", readPhone(contact?.phone ?? "").phone);
  return inLockOrder([...claims.values()]);
}

/** Claims in the order in which every transaction locks them. */
export function inLockOrder<T extends Claim>(claims: readonly T[]): T[] {
  const keyOf = ({ kind, value }: Claim) => `${kind} ${value}`;
  return claims.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The claims that are not among others. */
export function subtractClaims(claims: readonly Claim[], others: readonly Claim[]): Claim[] {
  return claims.filter(({ kind, value }) => !others.some((other) => other.kind === kind && other.value === value));
}

/** Providers of free mail that the list of the package lacks. */
const FREE_MAIL = new Set([
  ...providers,
  ..."azet.sk duck.com fastmail.com mail.de posteo.de tuta.com tuta.io ziggo.nl".split(" "),
]);

/** Providers of free mail that have a domain in many countries. */
const FREE_MAIL_NAMES = new Set("aol gmail gmx googlemail hotmail outlook yahoo yandex".split(" "));

/**
 * The domain of a company from a host name, a URL or an e-mail address: the part that one can register, below a public suffix such as
 * co.uk or github.io. Null where it does not identify a company, as in free mail, where anyone can have an address.
 */
export function domainOf(text: string): string | null {
  const written = text.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written.replace(/^.*@/, "")}`;
  if (!URL.canParse(url)) return null;
  const { hostname, domain, domainWithoutSuffix } = parse(new URL(url).hostname, { allowPrivateDomains: true });
  if (hostname === null || domain === null || domainWithoutSuffix === null) return null;
  return [hostname, domain].some((host) => FREE_MAIL.has(host)) || FREE_MAIL_NAMES.has(domainWithoutSuffix) ? null : domain;
}

/** Legal forms, which are ignored at the end of a name. */
const LEGAL_FORMS = new Set(
  `ab ag and aps as asa berhad bhd bv co company corp corporation cv doo ek ev gesmbh ggmbh gmbh haftungsbeschrankt
  inc incorporated kft kg kgaa kk limited llc llp lp ltd ltda mbh nv ohg ood oy oyj partg pc plc private proprietary pte pty pvt sa
  sab sarl sas se sl slu spa spzoo srl sro ug und zrt`.split(/\s+/),
);

/** Letters without a canonical decomposition. */
const PLAIN: Record<string, string> = { æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
const NAME_LENGTH_MAX = 200;

/** A company's name normalised for comparison: without case, accents, punctuation and legal form; null where nothing is left. */
export function nameOf(text: string): string | null {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[æœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replaceAll(/\b(sp)[\s.]*z[\s.]*o[\s.]*o\b/g, "$1zoo")
    .replaceAll(/['’.`]/g, "")
    .replaceAll(/[&+]/g, " and ");
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const last = words.findLastIndex((word) => !LEGAL_FORMS.has(word));
  const name = (last === -1 ? words : words.slice(0, last + 1)).join(" ");
  return name === "" ? null : [...name].slice(0, NAME_LENGTH_MAX).join("");
}

/** More words narrow a search no further, and would each make a statement of their own. */
const SEARCH_WORDS_MAX = 8;

/** The significant words of a name for a search, the longest first: short words and legal forms are often left out or abbreviated. */
export function searchWords(text: string): string[] {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
  const significant = words.filter((word) => word.length > 2 && !LEGAL_FORMS.has(nameOf(word) ?? ""));
  if (words.length === 0) return [text.trim().toLowerCase()];
  const chosen = significant.length > 0 ? significant : words;
  return chosen.toSorted((a, b) => b.length - a.length).slice(0, SEARCH_WORDS_MAX);
}
