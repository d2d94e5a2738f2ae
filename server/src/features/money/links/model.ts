import { randomInt } from "node:crypto";
import { fail } from "../../../kernel/errors.ts";

/** A blocked link is the operator's: it leads nowhere, and the partner cannot change it. */
export const STATUSES = ["active", "paused", "archived", "blocked"] as const;
/** The statuses that partners set. DELETE archives. */
export const SETTABLE = ["active", "paused"] as const;
export const LINKS_MAX = 1_000;

/** What the API accepts as a code. */
export const CODE_PATTERN = "^[A-Za-z0-9-]{4,32}$";
const KEY = /^[a-z0-9-]{4,32}$/;

/** Random codes have no letter that is folded, so that they look the same however they are read. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const RANDOM_LENGTH = 8;

export function randomCode(): string {
  return Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** A code without what is easily confused: upper and lower case, o and 0, and i, l and 1 are the same. Null: it is no code. */
export function codeKey(code: string): string | null {
  const key = code.toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return KEY.test(key) ? key : null;
}

export const DESTINATION_MAX = 2_000;

/** What a destination is checked against. */
export type DestinationRules = {
  /** The hosts of the programme; none: any. */
  hosts: readonly string[];
  /** Whether http is accepted on this machine, for development. */
  local_http: boolean;
  base_url: string;
};

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

const REASONS = {
  not_a_url: "destination_url must be an absolute URL.",
  not_https: "destination_url must begin with https://.",
  credentials: "destination_url must not have a user name or password.",
  too_long: `destination_url must have at most ${DESTINATION_MAX} characters.`,
  click_id: "destination_url must not have the parameter click_id: the redirect adds it.",
  loop: "destination_url must not be an affiliate link.",
  host_not_allowed: "The host of destination_url is not one that the programme allows.",
};

/** The destination as browsers read it, or a refusal. */
export function checkDestination(text: string, { hosts, local_http, base_url }: DestinationRules): string {
  const url = URL.parse(text.trim()) ?? refuse("not_a_url");
  if (url.protocol !== "https:" && !(local_http && url.protocol === "http:" && LOCAL.has(url.hostname))) refuse("not_https");
  if (url.username !== "" || url.password !== "") refuse("credentials");
  if (url.href.length > DESTINATION_MAX) refuse("too_long");
  if (url.searchParams.has("click_id")) refuse("click_id");
  if (url.origin === new URL(base_url).origin && url.pathname.startsWith("/r/")) refuse("loop");
  const allowed = hosts.length === 0 || hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
  if (!allowed) refuse("host_not_allowed");
  return url.href;
}

function refuse(reason: keyof typeof REASONS): never {
  const detail = REASONS[reason];
  fail("link_destination_refused", { detail, meta: { reason } });
}
