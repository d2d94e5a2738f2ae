import { fail, notFound } from "../../../../kernel/errors.ts";
import { firstIdAtTime } from "../../../../kernel/ids.ts";
import { listIdentity, pageById } from "../../../../kernel/page.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import type { Result } from "../../../../platform/http/route.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import { lockEndpoint } from "../commands.ts";
import { endpointRowOrNull } from "../queries.ts";
import {
  countMatching,
  insertReplay,
  type ReplayRequest,
  ReplayRunning,
  replayOrNull,
  replaysPage,
  runningReplayOrNull,
  saveCancellation,
} from "./queries.ts";
import type { ReplayCreate, ReplayListQuery } from "./schema.ts";

/** Has past events sent to an endpoint again, a few at a time; a dry run only counts them. */
export async function createReplay(ctx: Context, endpoint_id: string, input: ReplayCreate): Promise<Result> {
  const { dry_run = false, ...asked } = input;
  try {
    return await ctx.tx(async (tx) => {
      const endpoint = await lockEndpoint(ctx, tx, endpoint_id);
      const request = requestOf(asked, tx.now);
      const total = await countMatching(tx, ctx.scope, { endpoint_id, ...boundsOf(request), ...request });
      const created_by = actorOf(ctx.principal).id;
      if (dry_run) return { json: dryRunJson(endpoint_id, request, total, created_by, tx.now) };
      if (!endpoint.enabled) fail("endpoint_disabled");
      const replay = await insertReplay(tx, ctx.scope, { id: tx.newId("replay"), endpoint_id, request, total, created_by });
      const changes = { replay_id: { from: null, to: replay.id }, request: { from: null, to: request } };
      record(tx, ctx.scope, [], { action: "replays.create", target: endpoint_id, client_id: null, changes });
      return replay;
    });
  } catch (error) {
    if (!(error instanceof ReplayRunning)) throw error;
    const existing_id = await runningReplayOrNull(ctx.db, ctx.scope, endpoint_id);
    fail("replay_in_progress", { ...(existing_id === null ? {} : { meta: { existing_id } }), cause: error });
  }
}

function requestOf({ since, until, types, only_failed = false }: ReplayCreate, now: Date): ReplayRequest {
  // What is still to come is sent anyway.
  const end = until === undefined || Date.parse(until) > now.getTime() ? now : new Date(until);
  if (Date.parse(since) >= end.getTime()) {
    const detail = "since must be before until, and in the past.";
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/since", code: "not_before_until", detail }] });
  }
  return { since: new Date(since).toISOString(), until: end.toISOString(), types: types ?? null, only_failed };
}

/** Ids are time-ordered, so a range of time is a range of ids: of deliveries where only the failed are wanted, else of events. */
export function boundsOf({ since, until, only_failed }: ReplayRequest): { from_id: string; before_id: string } {
  const kind = only_failed ? "delivery" : "event";
  return { from_id: firstIdAtTime(kind, since), before_id: firstIdAtTime(kind, until) };
}

function dryRunJson(endpoint_id: string, request: ReplayRequest, total: number, created_by: string, now: Date): string {
  const state = { state: "dry_run", total, queued: 0, created_by, created_at: now.toISOString(), finished_at: now.toISOString() };
  return JSON.stringify({ id: null, endpoint_id, ...request, ...state });
}

export async function getReplay(ctx: Context, endpoint_id: string, id: string): Promise<Result> {
  await requireEndpoint(ctx, endpoint_id);
  return (await replayOrNull(ctx.db.byKey, ctx.scope, endpoint_id, id)) ?? notFound(id);
}

export async function listReplays(ctx: Context, endpoint_id: string, query: ReplayListQuery): Promise<Result> {
  await requireEndpoint(ctx, endpoint_id);
  return pageById(listIdentity("replays", { endpoint_id }), query, (after, limit) =>
    replaysPage(ctx.db, ctx.scope, endpoint_id, after, limit),
  );
}

/** Stops a replay: what it has queued and is not sent yet is taken back. Repeating it changes nothing. */
export function cancelReplay(ctx: Context, endpoint_id: string, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    if ((await endpointRowOrNull(tx, ctx.scope, endpoint_id)) === null) notFound(endpoint_id);
    if ((await replayOrNull(tx, ctx.scope, endpoint_id, id)) === null) notFound(id);
    const withdrawn = await saveCancellation(tx, ctx.scope, endpoint_id, id);
    const changes = { withdrawn_deliveries: { from: null, to: withdrawn } };
    record(tx, ctx.scope, [], { action: "replays.cancel", target: id, client_id: null, changes });
  });
}

async function requireEndpoint(ctx: Context, endpoint_id: string): Promise<void> {
  if ((await endpointRowOrNull(ctx.db.byKey, ctx.scope, endpoint_id)) === null) notFound(endpoint_id);
}
