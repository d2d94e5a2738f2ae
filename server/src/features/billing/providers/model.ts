import { fail, within } from "../../../kernel/errors.ts";
import type { Sealer } from "../../../platform/crypto/seal.ts";
import { compile } from "../../../platform/http/validation.ts";
import type { Settings } from "../../../platform/record/context.ts";
import { PROVIDER_KINDS, type ProviderKind } from "./adapter.ts";
import { adapterOf } from "./registry.ts";

type Members = Readonly<Record<string, unknown>>;

const checks = Object.fromEntries(
  PROVIDER_KINDS.map((kind) => {
    const { config, secrets } = adapterOf(kind);
    return [kind, { config: compile(config, "body"), secrets: secrets === null ? null : compile(secrets, "body") }];
  }),
);

/** Refuses a configuration that the kind does not know. Another address of the provider is for development. */
export function checkConfig(kind: ProviderKind, config: Members, { egress }: Pick<Settings, "egress">): Promise<void> {
  return within("config", async () => {
    checks[kind]?.config(config);
    if (config.base_url === undefined || (egress === "development" && URL.canParse(String(config.base_url)))) return;
    refuse("#/base_url", "development_only", "base_url is only for development: leave it out.");
  });
}

const refuse = (pointer: string, code: string, detail: string): never =>
  fail("validation_failed", { detail, faults: [{ in: "body", pointer, code, detail }] });

/** The secrets of a kind after a change, checked; null removes one. A kind without secrets takes none. */
export function secretsAfter(kind: ProviderKind, before: Members, patch: Members): Promise<Members> {
  return within("secrets", async () => {
    const after = Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null));
    const check = checks[kind]?.secrets ?? null;
    if (check !== null) check(after);
    else if (Object.keys(after).length > 0) refuse("#", "no_secrets", `A provider of the kind ${kind} has no secrets.`);
    return after;
  });
}

const purposeOf = (id: string) => `payment provider ${id}`;

export function sealSecrets(sealer: Sealer, id: string, secrets: Members): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : sealer.seal(JSON.stringify(secrets), purposeOf(id));
}

/** The secrets of a provider; none if they were sealed under another key, so that the provider refuses what is asked of it. */
export function openSecrets(sealer: Sealer, id: string, sealed: Buffer | null): Members {
  if (sealed === null) return {};
  try {
    return JSON.parse(sealer.open(sealed, purposeOf(id))) as Members;
  } catch {
    return {};
  }
}
