import { fail } from "../../kernel/errors.ts";
import type { Deprecation, Route, Stability } from "./route.ts";

const DAY_MS = 86_400_000;

/** How many days pass at least between saying that an operation goes and its going. */
const NOTICE_DAYS: Record<Stability, number> = { preview: 31, stable: 180 };

/** A route that would go without due notice, or never was announced, does not boot. */
export function refuseShortNotice({ operation, deprecated }: Route, stability: Stability): void {
  if (deprecated?.sunset === undefined) return;
  const notice_days = (startOf(deprecated.sunset) - startOf(deprecated.since)) / DAY_MS;
  if (!(notice_days >= NOTICE_DAYS[stability])) {
    throw new Error(`${operation} goes after ${notice_days} days; ${stability} operations have ${NOTICE_DAYS[stability]}`);
  }
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and links to the policy and to what to use instead. */
export function deprecationHeaders({ since, sunset, successor }: Deprecation, prefix: string): Record<string, string> {
  const links = ['</docs/guides/versions.md>; rel="deprecation"; type="text/markdown"'];
  if (successor !== undefined) links.push(`<${prefix}${successor}>; rel="successor-version"`);
  return {
    deprecation: `@${startOf(since) / 1000}`,
    ...(sunset === undefined ? {} : { sunset: new Date(startOf(sunset)).toUTCString() }),
    link: links.join(", "),
  };
}

export function refuseAfterSunset({ sunset, successor }: Deprecation, prefix: string, now: Date): void {
  if (sunset === undefined || now.getTime() < startOf(sunset)) return;
  const instead = successor === undefined ? "The documentation says what became of it." : `Use ${prefix}${successor} instead.`;
  fail("endpoint_sunset", { detail: `This operation ended on ${sunset}. ${instead}`, meta: { sunset } });
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
