import type { Sealer } from "../../../../platform/crypto/seal.ts";
import { headersPurpose, secretPurpose } from "../../../../platform/crypto/webhook-signature.ts";
import type { EndpointRow } from "./lanes.queries.ts";

/** The settings of an endpoint that deliveries need, with its secrets decrypted. */
export type Endpoint = Pick<EndpointRow, "ordering" | "max_in_flight" | "timeout_ms" | "rate_limit_per_second" | "version"> & {
  /** Null: its headers or secrets cannot be decrypted. */
  target: { url: URL; headers: Record<string, string>; redacted_headers: Record<string, string> } | null;
  secrets: { secret: string; ends_ms: number }[];
};

/** An endpoint that cannot be decrypted is leased all the same: its deliveries fail with an error that names the cause. */
export function openEndpoint(sealer: Sealer, row: EndpointRow): Endpoint {
  const { endpoint_id, ordering, max_in_flight, timeout_ms, rate_limit_per_second, version } = row;
  const rules = { ordering, max_in_flight, timeout_ms, rate_limit_per_second, version };
  try {
    const opened = row.headers === null ? "{}" : sealer.open(row.headers, headersPurpose(endpoint_id));
    const headers = JSON.parse(opened) as Record<string, string>;
    const redacted_headers = Object.fromEntries(Object.keys(headers).map((name) => [name, "redacted"]));
    const secrets = row.secrets.map((secret, index) => ({
      secret: sealer.open(secret, secretPurpose(endpoint_id)),
      ends_ms: row.secret_ends_ms[index] ?? 0,
    }));
    return { ...rules, target: { url: new URL(row.url), headers, redacted_headers }, secrets };
  } catch {
    return { ...rules, target: null, secrets: row.secret_ends_ms.map((ends_ms) => ({ secret: "", ends_ms })) };
  }
}

export function hasSecretsEndingAt({ secrets }: Endpoint, ends_ms: readonly number[]): boolean {
  return secrets.length === ends_ms.length && secrets.every((secret, index) => secret.ends_ms === ends_ms[index]);
}
