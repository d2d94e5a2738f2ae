import type { Tone } from "../../ui/state.tsx";
import { ago } from "../../ui/when.tsx";
import type { Endpoint } from "./data.ts";

export type EndpointState = { tone: Tone; name: string; why: string };

const DISABLED = {
  requested: "Somebody switched it off. Nothing is sent; events that occur meanwhile wait.",
  gone: "It answered 410 Gone, so it was switched off. Events that occur meanwhile wait.",
  failing: "Nothing arrived for five days, so it was switched off. Events that occur meanwhile wait.",
} as const;

/** What holds of an endpoint, with the reason in a sentence. */
export function stateOf({ health }: Pick<Endpoint, "health">): EndpointState {
  const { state, disabled_reason, last_success_at, parked } = health;
  if (state === "disabled") return { tone: "ended", name: "paused", why: DISABLED[disabled_reason ?? "requested"] };
  const lost = parked === 0 ? "" : ` Nothing is lost: ${count(parked)} parked until it answers.`;
  const since = last_success_at === null ? "Nothing has arrived yet." : `The last success was ${ago(last_success_at)} ago.`;
  if (state === "degraded") return { tone: "bad", name: "failing", why: `${since}${lost}` };
  if (last_success_at === null) return { tone: "live", name: "live", why: "Nothing has been sent yet." };
  return {
    tone: "live",
    name: "live",
    why: `Last delivered ${ago(last_success_at) === "now" ? "just now" : `${ago(last_success_at)} ago`}.`,
  };
}

const count = (events: number) => `${events === 10_000 ? "10,000 or more" : events} ${events === 1 ? "event is" : "events are"}`;

/** "hooks.example.com/tributary": what tells endpoints apart. */
export function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : `${host}${pathname}`;
}

export const percent = (share: number | null) => (share === null ? null : `${Math.floor(share * 1_000) / 10}%`);

export const duration = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);

export const typesOf = ({ event_types }: Pick<Endpoint, "event_types">) =>
  event_types[0] === "*" ? "all, also later ones" : event_types.length === 1 ? event_types[0] : `${event_types.length} types`;

/** Event types by their resource: "client.created" is of "client". */
export function groupsOf(types: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const type of types) {
    const [resource = ""] = type.split(".");
    groups.set(resource, [...(groups.get(resource) ?? []), type]);
  }
  return [...groups];
}
