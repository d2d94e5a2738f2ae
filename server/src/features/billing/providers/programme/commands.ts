import { fail, notFound } from "../../../../kernel/errors.ts";
import { OPERATOR_TENANT } from "../../../../kernel/principal.ts";
import { newToken } from "../../../../platform/http/public-tokens.ts";
import type { Result } from "../../../../platform/http/route.ts";
import { type Changes, changesBetween } from "../../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import type { ProviderKind } from "../adapter.ts";
import { checkOf, openProviderOrNull } from "../commands.ts";
import { checkConfig, openSecrets, sealSecrets, secretsAfter } from "../model.ts";
import { adapterOf } from "../registry.ts";
import type {
  ProgrammeProviderCreate,
  ProgrammeProviderListQuery,
  ProgrammeProviderPatch,
  ProgrammeProviderShown,
} from "../schema.ts";
import {
  FIELDS,
  insertProgrammeProvider,
  type ProgrammeProvider,
  programmeProviderForUpdateOrNull,
  programmeProviderOrNull,
  programmeProvidersPage,
  saveProgrammeProvider,
  saveProgrammeSecrets,
  sealedProgrammeProviderOrNull,
} from "./queries.ts";

/** Adds a provider that collects money for the operator. */
export async function createProgrammeProvider(ctx: Context, input: ProgrammeProviderCreate): Promise<ProgrammeProvider> {
  const { config = {}, secrets = {}, status = "active", name, kind } = input;
  await checkConfig(kind, config, ctx.settings);
  const complete = await secretsAfter(kind, {}, secrets);
  return ctx.tx(async (tx) => {
    const id = tx.newId("payment_provider");
    const token = adapterOf(kind).hooks === null ? null : await newToken(tx, "hook", OPERATOR_TENANT, id);
    const sealed = { secrets: sealSecrets(ctx.sealer, id, complete), live: adapterOf(kind).live(complete) };
    const made = await insertProgrammeProvider(tx, { id, kind, name, status, config, token, ...sealed });
    const changes: Changes = changesBetween<Partial<ProgrammeProvider>>({}, made, ["kind", ...FIELDS]);
    if (sealed.secrets !== null) changes.secrets = "redacted";
    record(tx, ctx.scope, [], { action: "programme_providers.create", target: id, client_id: null, changes });
    return made;
  });
}

export async function getProgrammeProvider(ctx: Context, id: string): Promise<ProgrammeProvider> {
  return (await programmeProviderOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

export function listProgrammeProviders(ctx: Context, query: ProgrammeProviderListQuery): Promise<{ json: string }> {
  return programmeProvidersPage(ctx.db, query);
}

export function updateProgrammeProvider(
  ctx: Context,
  id: string,
  { secrets, ...patch }: ProgrammeProviderPatch,
): Promise<ProgrammeProvider> {
  return ctx.tx(async (tx) => {
    const before = await locked(ctx, tx, id);
    if (before.archived_at !== null)
      fail("invalid_state_transition", { detail: "The provider is archived. Create another one.", meta: { allowed: [] } });
    const after: ProgrammeProviderShown = { ...before, ...patch };
    const changes: Changes = changesBetween(before, after, FIELDS);
    if (secrets !== undefined) {
      await replaceSecrets(ctx, tx, before, secrets);
      changes.secrets = "redacted";
    }
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "programme_providers.update", target: id, client_id: null, changes });
    return saveProgrammeProvider(tx, after);
  });
}

async function replaceSecrets(ctx: Context, tx: Tx, { id, kind }: ProgrammeProvider, patch: object): Promise<void> {
  const sealed = await sealedProgrammeProviderOrNull(tx, id);
  const before = openSecrets(ctx.sealer, id, sealed?.secrets ?? null);
  const complete = await secretsAfter(kind as ProviderKind, before, patch as Record<string, unknown>);
  const live = adapterOf(kind as ProviderKind).live(complete);
  await saveProgrammeSecrets(tx, id, { secrets: sealSecrets(ctx.sealer, id, complete), live });
}

/** Archives a provider: no payment starts with it, and what has started goes on. */
export function archiveProgrammeProvider(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const before = await locked(ctx, tx, id);
    if (before.archived_at !== null) return;
    await saveProgrammeProvider(tx, { ...before, status: "paused", archived_at: tx.now.toISOString() });
    const changes = { archived: { from: false, to: true } };
    record(tx, ctx.scope, [], { action: "programme_providers.archive", target: id, client_id: null, changes });
  });
}

async function locked(ctx: Context, tx: Tx, id: string): Promise<ProgrammeProvider> {
  const provider = (await programmeProviderForUpdateOrNull(tx, id)) ?? notFound(id);
  requireVersion(ctx, provider);
  return provider;
}

/** Asks the provider whether it accepts the secrets. */
export async function testProgrammeProvider(ctx: Context, id: string): Promise<Result> {
  await ctx.replayed();
  await getProgrammeProvider(ctx, id);
  const provider = (await openProviderOrNull(ctx, ctx.db.byKey, OPERATOR_TENANT, id)) ?? notFound(id);
  const check = await checkOf(provider);
  return ctx.tx(async (tx) => {
    const changes = { ok: { from: null, to: check.ok } };
    record(tx, ctx.scope, [], { action: "programme_providers.test", target: id, client_id: null, changes });
    return { json: JSON.stringify(check) };
  });
}
