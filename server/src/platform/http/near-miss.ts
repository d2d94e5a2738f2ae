import { type Named, resemblesId } from "../../kernel/ids.ts";
import { didYouMean } from "../../kernel/suggest.ts";
import type { Surface } from "./openapi.ts";

/** Names the operation that a request probably meant, as ` Did you mean GET /v1/partners/deals/metrics?`, or an empty text. */
export type SuggestPath = (method: string, url: string) => string;

type Candidate = { method: string; prefix: string; path: string; segments: string[]; params: Record<string, Named> };

/** A path is missed by its prefix, a plural, a hyphen, a typo, or its method. */
export function createSuggestPath(surfaces: readonly Surface[], pages: readonly string[]): SuggestPath {
  const prefixes = surfaces.map(({ prefix }) => prefix).toSorted((a, b) => b.length - a.length);
  const candidates = surfaces.flatMap(({ prefix, routes }) =>
    routes.map(
      ({ method, path, params }): Candidate => ({ method, prefix, path: prefix + path, segments: segmentsOf(path), params }),
    ),
  );
  return (method, url) => {
    const path = `/${segmentsOf(url.split("?")[0] ?? "").join("/")}`;
    const { prefix, rest } = splitPath(path, prefixes);
    const [best] = candidates
      .filter((candidate) => candidate.prefix === prefix || !candidate.prefix.endsWith("/admin"))
      .map((candidate) => ({ candidate, cost: costOf(candidate, method, prefix, rest) }))
      .filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
      .toSorted((a, b) => a.cost - b.cost);
    return best === undefined ? didYouMean(path, pages) : ` Did you mean ${best.candidate.method} ${best.candidate.path}?`;
  };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The longest prefix of a path, also without its `/v1`, and the segments after it. */
function splitPath(path: string, prefixes: readonly string[]): { prefix: string; rest: string[] } {
  const versioned = /^\/v\d+(\/|$)/.test(path) ? path.replace(/^\/v\d+/, "/v1") : `/v1${path}`;
  const prefix = prefixes.find((one) => versioned === one || versioned.startsWith(`${one}/`)) ?? "";
  return { prefix, rest: segmentsOf(versioned.slice(prefix.length)) };
}

/** How far a request is from an operation; infinite if its segments do not fit. */
function costOf({ method, prefix, segments, params }: Candidate, asked: string, askedPrefix: string, rest: string[]): number {
  if (segments.length !== rest.length) return Number.POSITIVE_INFINITY;
  let cost = (prefix === askedPrefix ? 0 : 1) + (method === asked ? 0 : 4);
  for (const [index, segment] of segments.entries()) {
    const kind = params[segment.replace(/^\{(\w+)\}$/, "$1")];
    const text = rest[index] ?? "";
    cost +=
      segment.startsWith("{") && kind !== undefined
        ? resemblesId(kind, text)
          ? 0
          : Number.POSITIVE_INFINITY
        : wordCost(segment, text);
    if (cost === Number.POSITIVE_INFINITY) break;
  }
  return cost;
}

function wordCost(word: string, text: string): number {
  if (word === text) return 0;
  if (word === text.toLowerCase().replaceAll("_", "-")) return 1;
  return didYouMean(text, [word]) === "" ? Number.POSITIVE_INFINITY : 2;
}
