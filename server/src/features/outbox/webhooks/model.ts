import { type Fault, fail } from "../../../kernel/errors.ts";
import { ALL_EVENT_TYPES, type EventType, readableTypes, requireReadable } from "../../../kernel/events.ts";
import type { Principal, TenantScope } from "../../../kernel/principal.ts";
import { isDeniedAddress } from "../../../platform/net/address.ts";
import { isAllowedPort } from "../../../platform/net/egress.ts";
import type { Settings } from "../../../platform/record/context.ts";

export const ORDERINGS = ["none", "subject", "strict"] as const;

/** Instead of a list of types: every type, also those that are added later. */
export const EVERY_TYPE = "*";
export type WantedType = EventType | typeof EVERY_TYPE;

/** An endpoint as its row is read, with the JSON that the API shows of it. */
export type Endpoint = {
  id: string;
  version: number;
  url: string;
  event_types: WantedType[];
  /** Null: all clients, and what concerns the whole partner. */
  client_ids: string[] | null;
  description: string | null;
  enabled: boolean;
  ordering: (typeof ORDERINGS)[number];
  max_in_flight: number;
  rate_limit_per_second: number | null;
  timeout_ms: number;
  header_names: string[];
  metadata: Record<string, string>;
  json: string;
};

export const ENDPOINTS_MAX = 50;
const URL_LENGTH_MAX = 2048;

const refuse = (pointer: string, code: string, detail: string): never => {
  const faults: Fault[] = [{ in: "body", pointer, code, detail }];
  fail("validation_failed", { detail, faults });
};

/**
 * The address to send to, in the one form that the standard for URLs gives it: whatever notation hides an address is
 * undone before it is looked at. Names are looked up, and their addresses checked, each time something is sent.
 */
export function endpointUrl(
  text: string,
  { egress, egress_ports }: Pick<Settings, "egress" | "egress_ports">,
  name = "url",
): string {
  const refuseUrl = (rule: string): never => refuse(`#/${name}`, "url_not_allowed", `${name} ${rule}`);
  const url = URL.canParse(text) ? new URL(text) : refuseUrl("is not an address such as https://example.com/hooks.");
  const development = egress === "development";
  if (url.protocol !== "https:" && !(development && url.protocol === "http:")) refuseUrl("must begin with https://.");
  if (url.username !== "" || url.password !== "") refuseUrl("must not contain a user name or a password; use headers.");
  if (text.includes("#")) refuseUrl("must not have a fragment, the part after #.");
  if (url.href.length > URL_LENGTH_MAX) refuseUrl(`must have at most ${URL_LENGTH_MAX} characters.`);
  if (!development && !isAllowedPort(url.port, egress_ports)) refuseUrl(`must not have the port ${url.port}.`);
  if (!development && !isPublicHost(url.hostname)) refuseUrl("must lead to the public internet.");
  return url.href;
}

function isPublicHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name.startsWith("[") || /^[\d.]+$/.test(name)) return !isDeniedAddress(name);
  return !/(^|\.)(localhost|local|internal)$/.test(name);
}

/** Headers that say how the message is carried, or that are ours to set. */
const RESERVED =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|user-agent|webhook-.*)$/i;

export function refuseReservedHeaders(headers: Record<string, string>, brand: string): void {
  const names = Object.keys(headers);
  const own = `x-${brand}-`.toLowerCase();
  const reserved = names.find((name) => RESERVED.test(name) || name.toLowerCase().startsWith(own));
  if (reserved !== undefined) refuse(`#/headers/${reserved}`, "reserved_header", `The header ${reserved} is set by the service.`);
  const repeated = names.find((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index);
  if (repeated !== undefined) refuse(`#/headers/${repeated}`, "repeated_header", `The header ${repeated} is there twice.`);
}

/** The types of an endpoint for which none are named: the present ones that its maker may read. */
export function defaultTypes(principal: Principal): EventType[] {
  const types = readableTypes(principal);
  if (types.length > 0) return types;
  fail("insufficient_scope", {
    detail: "The key may read no type of event. Besides webhooks:write it needs a scope such as clients:read.",
    meta: { required_scope: "clients:read" },
  });
}

/** Refuses an endpoint that the caller could not have made: so nobody gets events by an endpoint that it cannot read. */
export function refuseMoreThanOwn(
  caller: { principal: Principal; scope: TenantScope },
  { event_types, client_ids }: Pick<Endpoint, "event_types" | "client_ids">,
): void {
  const every = event_types.includes(EVERY_TYPE);
  if (every && event_types.length > 1) refuse("#/event_types", "not_alone", "* includes all types: leave out the others.");
  requireReadable(caller.principal, every ? ALL_EVENT_TYPES : (event_types as EventType[]));
  if (client_ids === null && caller.scope.clients !== "all") fail("partner_wide_key_required");
}

type Wants = Pick<Endpoint, "event_types" | "client_ids">;

function wantsType(event_types: readonly WantedType[], type: WantedType): boolean {
  return event_types.includes(type) || event_types.includes(EVERY_TYPE);
}

/** Whether an endpoint gets an event: of its types, and, where it has clients, of those alone. */
export function wantsEvent({ event_types, client_ids }: Wants, type: EventType, client_id: string | null): boolean {
  return wantsType(event_types, type) && (client_ids === null || (client_id !== null && client_ids.includes(client_id)));
}

/** Whether an endpoint wants less than it did. */
export function wantsLess(before: Wants, after: Wants): boolean {
  if (before.event_types.some((type) => !wantsType(after.event_types, type))) return true;
  const { client_ids } = after;
  return client_ids !== null && (before.client_ids?.some((id) => !client_ids.includes(id)) ?? true);
}
