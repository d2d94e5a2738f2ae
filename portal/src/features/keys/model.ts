import type { Tone } from "../../ui/state.tsx";
import type { Key, Scope } from "./data.ts";

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;

/** What holds of a key now, as dot and word. */
export function stateOf(key: Key, now = Date.now()): { tone: Tone; name: string } {
  if (key.revoked_at !== null) return { tone: "ended", name: "revoked" };
  const expires_ms = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at);
  if (expires_ms <= now) return { tone: "ended", name: "expired" };
  if (key.previous_valid_until !== null && Date.parse(key.previous_valid_until) > now)
    return { tone: "wait", name: "two secrets" };
  return expires_ms - now < SOON_MS ? { tone: "wait", name: "expires soon" } : { tone: "live", name: "active" };
}

export const isUsable = (key: Key) => stateOf(key).tone !== "ended";

/** "affiliate_links" as people say it. */
export function wordsOf(resource: string): string {
  const words = resource.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export type ScopeRow = { resource: string; read?: Scope; write?: Scope; others: readonly Scope[] };

/** Scopes by resource, in the order in which they are given. */
export function rowsOf(scopes: readonly Scope[]): readonly ScopeRow[] {
  const rows = new Map<string, ScopeRow>();
  for (const scope of scopes) {
    const [resource = "", act = ""] = scope.split(":");
    const row = rows.get(resource) ?? { resource, others: [] };
    const more = act === "read" || act === "write" ? { [act]: scope } : { others: [...row.others, scope] };
    rows.set(resource, { ...row, ...more });
  }
  return [...rows.values()];
}

/** "all", "all reads", "leads:write" or "4 scopes": what a key may, in few words. */
export function summaryOf(scopes: readonly Scope[], every: readonly Scope[]): string {
  if (scopes.length === every.length) return "everything";
  const reads = every.filter((scope) => scope.endsWith(":read"));
  if (scopes.length === reads.length && reads.every((scope) => scopes.includes(scope))) return "all reads";
  return scopes.length === 1 ? (scopes[0] ?? "") : `${scopes.length} scopes`;
}

/** Usual sets. Those that the person lacks are left out: a key has at most what its creator has. */
export const PRESETS: readonly { name: string; wants(scope: Scope): boolean }[] = [
  { name: "Read everything", wants: (scope) => scope.endsWith(":read") },
  { name: "Reporting", wants: (scope) => /^(clients|deals|commissions|payouts|account):read$/.test(scope) },
  { name: "CRM sync", wants: (scope) => /^(contacts|leads|deals|conversations):(read|write)$|^events:read$/.test(scope) },
  { name: "Webhooks", wants: (scope) => /^(webhooks:(read|write)|events:read)$/.test(scope) },
  { name: "Everything", wants: () => true },
];
