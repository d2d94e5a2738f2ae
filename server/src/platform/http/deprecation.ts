import { fail } from "../../kernel/errors.ts";
import type { Deprecation, Route, Stability } from "./route.ts";

const DAY_MS = 86_400_000;

/** The minimum number of days between the announcement of a removal and the removal. */
const NOTICE_DAYS: Record<Stability, number> = { preview: 31, stable: 180 };

/** A route whose sunset comes with too short a notice prevents the start. */
export function refuseShortNotice({ operation, deprecated }: Route, stability: Stability): void {
  if (deprecated?.sunset === undefined) return;
  const notice_days = (startOf(deprecated.sunset) - startOf(deprecated.since)) / DAY_MS;
  if (!(notice_days >= NOTICE_DAYS[stability])) {
    throw new Error(
      `${operation} is removed after ${notice_days} days; ${stability} operations need ${NOTICE_DAYS[stability]} days of notice`,
    );
  }
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and links to the policy and the successor. */
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
  const instead = successor === undefined ? "See the documentation for alternatives." : `Use ${prefix}${successor} instead.`;
  fail("endpoint_sunset", { detail: `This operation was removed on ${sunset}. ${instead}`, meta: { sunset } });
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
