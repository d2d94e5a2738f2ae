import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { lockSource } from "./capture.commands.ts";
import { contentFor, keepSources, requireOneContent, storeVersion, withLeftOut } from "./content.commands.ts";
import { checkStatus, refuse, refuseArchived, refuseEmpty, requireOwn, SNAPSHOTS_MAX, type Snapshot } from "./model.ts";
import {
  countSnapshots,
  insertSnapshot,
  partnerOf,
  saveSnapshot,
  snapshotForUpdateOrNull,
  snapshotNamedOrNull,
  snapshotOrNull,
  snapshotsPage,
} from "./queries.ts";
import { FIELDS, type SnapshotCreate, type SnapshotListQuery, type SnapshotPatch } from "./schema.ts";

export function listSnapshots(ctx: Context, query: SnapshotListQuery): Promise<{ json: string }> {
  return snapshotsPage(ctx.db, ctx.scope, query);
}

export async function getSnapshot(ctx: Context, id: string): Promise<Snapshot> {
  return (await snapshotOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/** Creates a snapshot; with content, also its first version. */
export function createSnapshot(ctx: Context, input: SnapshotCreate): Promise<Snapshot> {
  const { name, description = null, changelog = null } = input;
  const filled = input.manifest !== undefined || input.source_client_id !== undefined;
  const { status = filled ? "published" : "draft" } = input;
  if (!filled && status === "published") refuseEmpty();
  if (!filled && changelog !== null) refuse("#/changelog", "no_version", "A changelog belongs to a version: send a manifest.");
  requireOneContent(input);
  return ctx.tx(async (tx) => {
    await lockSource(ctx, tx, input.source_client_id);
    const content = filled ? await contentFor(ctx, tx, null, input) : null;
    const [{ currency }] = await Promise.all([partnerOf(tx, ctx.scope), requireRoom(ctx, tx)]);
    const latest_version = content === null ? 0 : 1;
    const made = { name, description, status, currency, latest_version, created_by: actorOf(ctx.principal).id };
    const snapshot = await insertSnapshot(tx, ctx.scope, { id: tx.newId("snapshot"), ...made });
    if (snapshot === null) return refuseName(ctx, tx, name);
    if (content !== null) {
      await storeVersion(ctx, tx, snapshot.id, { version: 1, changelog, content });
      await keepSources(ctx, tx, snapshot.id, content);
    }
    const changes = changesBetween<Partial<Snapshot>>({}, snapshot, [...FIELDS, "latest_version"]);
    const client_id = input.source_client_id ?? null;
    record(tx, ctx.scope, [], { action: "snapshots.create", target: snapshot.id, client_id, changes });
    return withLeftOut(snapshot, content);
  });
}

export function updateSnapshot(ctx: Context, id: string, patch: SnapshotPatch): Promise<Snapshot> {
  return changeSnapshot(ctx, id, patch, "snapshots.update");
}

/** Archives a snapshot: it is deployed no more, and its name is free. */
export function archiveSnapshot(ctx: Context, id: string): Promise<Snapshot> {
  return changeSnapshot(ctx, id, { status: "archived" }, "snapshots.archive");
}

function changeSnapshot(ctx: Context, id: string, patch: SnapshotPatch, action: string): Promise<Snapshot> {
  return ctx.tx(async (tx) => {
    const before = (await snapshotForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, before);
    requireOwn(before);
    const after = { ...before, ...patch };
    const changes = changesBetween<Snapshot>(before, after, FIELDS);
    if (Object.keys(changes).length === 0) return before;
    refuseArchived(before);
    checkStatus(before, after.status);
    if (after.status !== before.status) refuseListed(before);
    if (after.status === "archived") await refuseDefault(ctx, tx, before);
    record(tx, ctx.scope, [], { action, target: id, client_id: null, changes });
    return (await saveSnapshot(tx, ctx.scope, after)) ?? refuseName(ctx, tx, after.name);
  });
}

/** What others can buy stays published. */
function refuseListed({ name, visibility }: Snapshot): void {
  if (visibility === "private") return;
  const detail = `${name} is listed on the marketplace. Withdraw it first with DELETE of its listing.`;
  fail("resource_in_use", { detail, meta: { used_by: ["listing"] } });
}

/** The snapshot is locked, and a new default is read under a shared lock: nobody makes it one in the meantime. */
async function refuseDefault(ctx: Context, tx: Tx, { id, name }: Snapshot): Promise<void> {
  const { default_snapshots } = await partnerOf(tx, ctx.scope);
  if (!default_snapshots.includes(id)) return;
  const detail = `New clients get ${name}. Remove it from default_snapshots of the account first.`;
  fail("resource_in_use", { detail, meta: { used_by: ["default_snapshots"] } });
}

async function requireRoom(ctx: Context, tx: Tx): Promise<void> {
  if ((await countSnapshots(tx, ctx.scope)) < SNAPSHOTS_MAX) return;
  fail("validation_failed", { detail: `A partner has at most ${SNAPSHOTS_MAX} snapshots of its own that are not archived.` });
}

async function refuseName(ctx: Context, tx: Tx, name: string): Promise<never> {
  const existing_id = await snapshotNamedOrNull(tx, ctx.scope, name);
  fail("duplicate_snapshot", { detail: `Another snapshot has the name ${name}.`, meta: { existing_id } });
}
