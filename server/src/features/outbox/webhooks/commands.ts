import { crc32 } from "node:zlib";
import { fail, notFound } from "../../../kernel/errors.ts";
import { listIdentity, pageById } from "../../../kernel/page.ts";
import { actorOf, boundClients } from "../../../kernel/principal.ts";
import { headersPurpose, newWebhookSecret, secretPurpose } from "../../../platform/crypto/webhook-signature.ts";
import type { Result } from "../../../platform/http/route.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { requireKnownClients } from "../../accounts/clients/index.ts";
import { cancelUnwanted } from "./deliveries/queries.ts";
import { defaultTypes, ENDPOINTS_MAX, endpointUrl, refuseMoreThanOwn, refuseReservedHeaders, wantsLess } from "./model.ts";
import {
  countEndpointsForInsert,
  type EndpointFields,
  endpointForUpdateOrNull,
  endpointOrNull,
  endpointsPage,
  insertEndpoint,
  removeEndpoint,
  type SealedHeaders,
  saveFields,
  saveHeaders,
} from "./queries.ts";
import type { EndpointCreate, EndpointListQuery, EndpointPatch, SecretRotation } from "./schema.ts";
import { endSecrets, insertSecret } from "./secrets.queries.ts";

const OVERLAP_SECONDS = 86_400;
const AUDITED = [
  "url",
  "event_types",
  "client_ids",
  "description",
  "enabled",
  "ordering",
  "max_in_flight",
  "rate_limit_per_second",
  "timeout_ms",
  "metadata",
] as const;

/** Makes an endpoint that gets at most what its maker may read. The secret is in the reply and nowhere else. */
export function createEndpoint(ctx: Context, input: EndpointCreate): Promise<Result> {
  const { headers = null, ...given } = input;
  const bound = boundClients(ctx.scope);
  const access = {
    event_types: input.event_types ?? defaultTypes(ctx.principal),
    client_ids: input.client_ids === undefined ? (bound === null ? null : [...bound]) : input.client_ids,
  };
  refuseMoreThanOwn(ctx, access);
  const url = endpointUrl(input.url, ctx.settings);
  if (headers !== null) refuseReservedHeaders(headers, ctx.settings.brand);
  return ctx.tx(async (tx) => {
    if (input.client_ids != null) await requireKnownClients(tx, ctx.scope, input.client_ids, "#/client_ids");
    await refuseTooMany(ctx, tx);
    const endpoint: EndpointFields = { ...DEFAULTS, ...given, ...access, url, id: tx.newId("endpoint") };
    await insertEndpoint(tx, ctx.scope, { ...endpoint, ...sealHeaders(ctx, endpoint.id, headers) }, actorOf(ctx.principal).id);
    const secret = await addSecret(ctx, tx, endpoint.id);
    const changes = changesBetween<Partial<EndpointFields>>({}, endpoint, AUDITED);
    if (headers !== null) changes.headers = "redacted";
    record(tx, ctx.scope, [], { action: "webhooks.create", target: endpoint.id, client_id: null, changes });
    return withSecret(await showEndpoint(ctx, tx, endpoint.id), secret);
  });
}

const DEFAULTS = {
  description: null,
  enabled: true,
  ordering: "subject",
  max_in_flight: 16,
  rate_limit_per_second: null,
  timeout_ms: 15_000,
  metadata: {},
} as const;

export async function getEndpoint(ctx: Context, id: string): Promise<Result> {
  return tagged((await endpointOrNull(ctx.db, ctx.scope, id, ctx.clock.now())) ?? notFound(id));
}

export function listEndpoints(ctx: Context, query: EndpointListQuery): Promise<Result> {
  const read = (after: string | null, limit: number) => endpointsPage(ctx.db, ctx.scope, after, limit, ctx.clock.now());
  return pageById(listIdentity("webhooks", {}), query, read);
}

/** Changes an endpoint into one that the caller could have made. */
export function updateEndpoint(ctx: Context, id: string, { headers, ...patch }: EndpointPatch): Promise<Result> {
  const url = patch.url === undefined ? undefined : endpointUrl(patch.url, ctx.settings);
  if (headers != null) refuseReservedHeaders(headers, ctx.settings.brand);
  return ctx.tx(async (tx) => {
    const before = await lockEndpoint(ctx, tx, id);
    const after: EndpointFields = { ...before, ...patch, url: url ?? before.url };
    refuseMoreThanOwn(ctx, after);
    if (patch.client_ids != null) await requireKnownClients(tx, ctx.scope, patch.client_ids, "#/client_ids");
    const changes = changesBetween(before as EndpointFields, after, AUDITED);
    if (headers !== undefined) changes.headers = "redacted";
    if (Object.keys(changes).length === 0) return showEndpoint(ctx, tx, id);
    if (headers !== undefined) await saveHeaders(tx, ctx.scope, id, sealHeaders(ctx, id, headers));
    await saveFields(tx, ctx.scope, after);
    if (wantsLess(before, after)) await cancelUnwanted(tx, ctx.scope, id);
    record(tx, ctx.scope, [], { action: "webhooks.update", target: id, client_id: null, changes });
    tx.wake(ctx.scope.partner_id);
    return showEndpoint(ctx, tx, id);
  });
}

/** Removes an endpoint with its secrets and replays; what waits for it is not sent. */
export function deleteEndpoint(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    await lockEndpoint(ctx, tx, id);
    await removeEndpoint(tx, ctx.scope, id);
    record(tx, ctx.scope, [], { action: "webhooks.delete", target: id, client_id: null });
  });
}

/** Signs with a new secret from now on, and with the ones before until the overlap ends. */
export function rotateSecret(ctx: Context, id: string, { overlap_seconds = OVERLAP_SECONDS }: SecretRotation): Promise<Result> {
  return ctx.tx(async (tx) => {
    refuseMoreThanOwn(ctx, await lockEndpoint(ctx, tx, id));
    const until = new Date(tx.now.getTime() + overlap_seconds * 1000);
    await endSecrets(tx, ctx.scope, id, until);
    const secret = await addSecret(ctx, tx, id);
    const changes = { secret: "redacted", previous_valid_until: { from: null, to: until.toISOString() } } as const;
    record(tx, ctx.scope, [], { action: "webhooks.rotate_secret", target: id, client_id: null, changes });
    tx.wake(ctx.scope.partner_id);
    return withSecret(await showEndpoint(ctx, tx, id), secret);
  });
}

/** An endpoint to change, at the version that the caller saw. */
export async function lockEndpoint(ctx: Context, tx: Tx, id: string) {
  const endpoint = (await endpointForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, endpoint);
  return endpoint;
}

async function showEndpoint(ctx: Context, tx: Tx, id: string): Promise<Result> {
  return tagged((await endpointOrNull(tx, ctx.scope, id, tx.now)) ?? notFound(id));
}

/** How it does changes without a change of it, but shows: the ETag has both. */
function tagged(endpoint: { id: string; version: number; json: string }): Result {
  return { ...endpoint, etag: `${endpoint.version}-${crc32(endpoint.json)}` };
}

async function refuseTooMany(ctx: Context, tx: Tx): Promise<void> {
  if ((await countEndpointsForInsert(tx, ctx.scope)) < ENDPOINTS_MAX) return;
  fail("endpoint_limit_reached", {
    detail: `A partner has at most ${ENDPOINTS_MAX} endpoints. Remove one that is no longer used, or have one take more event types.`,
    meta: { limit: ENDPOINTS_MAX },
  });
}

async function addSecret(ctx: Context, tx: Tx, endpoint_id: string): Promise<string> {
  const secret = newWebhookSecret();
  const sealed = ctx.sealer.seal(secret, secretPurpose(endpoint_id));
  await insertSecret(tx, ctx.scope, endpoint_id, { secret: sealed, hint: secret.slice(-4) });
  return secret;
}

function sealHeaders(ctx: Context, endpoint_id: string, headers: Record<string, string> | null): SealedHeaders {
  const header_names = Object.keys(headers ?? {});
  if (header_names.length === 0) return { headers: null, header_names };
  return { headers: ctx.sealer.seal(JSON.stringify(headers), headersPurpose(endpoint_id)), header_names };
}

function withSecret(endpoint: Result, secret: string): Result {
  return { ...endpoint, json: JSON.stringify({ ...(JSON.parse(endpoint.json) as object), secret }) };
}
