import { fail, notFound } from "../../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import { lockSource } from "../capture.commands.ts";
import { getSnapshot } from "../commands.ts";
import { type Content, contentFor, keepSources, requireOneContent, storeVersion, withLeftOut } from "../content.commands.ts";
import { manifestOf } from "../deployable.commands.ts";
import { ensureVersion } from "../licences.commands.ts";
import { diffManifests } from "../manifest/diff.model.ts";
import type { Manifest } from "../manifest/model.ts";
import { refuse, refuseArchived, requireOwn, VERSIONS_MAX } from "../model.ts";
import { snapshotForUpdateOrNull } from "../queries.ts";
import { raiseLatest, type Version, versionOrNull, versionsPage, versionWithManifestOrNull } from "./queries.ts";
import type { DiffQuery, VersionCreate, VersionListQuery } from "./schema.ts";

export async function listVersions(ctx: Context, id: string, query: VersionListQuery): Promise<{ json: string }> {
  if ((await getSnapshot(ctx, id)).origin === "bought") await ensureVersion(ctx, id, null);
  return versionsPage(ctx.db, ctx.scope, id, query);
}

export async function getVersion(ctx: Context, id: string, version: number): Promise<Version> {
  const read = () => versionWithManifestOrNull(ctx.db.byKey, ctx.scope, id, version);
  const found = await read();
  if (found !== null) return found;
  if ((await getSnapshot(ctx, id)).origin === "bought") await ensureVersion(ctx, id, version);
  return (await read()) ?? notFound(`Version ${version} of ${id}`);
}

export type VersionReply = { json: string; id: string; version: number; created: boolean };

/** Adds a version, unless it has the content of the latest one. */
export function createVersion(ctx: Context, id: string, input: VersionCreate): Promise<VersionReply> {
  if (input.manifest === undefined && input.source_client_id === undefined)
    refuse("#/manifest", "no_content", "Send a manifest or a source_client_id.");
  requireOneContent(input);
  return ctx.tx(async (tx) => {
    await lockSource(ctx, tx, input.source_client_id);
    const snapshot = (await snapshotForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, snapshot);
    requireOwn(snapshot);
    refuseArchived(snapshot);
    const content = await contentFor(ctx, tx, snapshot, input);
    await keepSources(ctx, tx, id, content);
    const latest = await versionOrNull(tx, ctx.scope, id, snapshot.latest_version ?? 0);
    if (latest?.sha256 === content.sha256) return replyOf(latest, content, false);
    const version = (latest?.version ?? 0) + 1;
    if (version > VERSIONS_MAX) fail("validation_failed", { detail: `A snapshot has at most ${VERSIONS_MAX} versions.` });
    const [stored] = await Promise.all([
      storeVersion(ctx, tx, id, { version, changelog: input.changelog ?? null, content }),
      raiseLatest(tx, ctx.scope, id, version),
    ]);
    const changes = {
      latest_version: { from: latest?.version ?? null, to: version },
      sha256: { from: latest?.sha256 ?? null, to: content.sha256 },
    };
    const client_id = input.source_client_id ?? null;
    record(tx, ctx.scope, [], { action: "snapshots.create_version", target: id, client_id, changes });
    return replyOf(stored, content, true);
  });
}

function replyOf(version: Version, content: Content, created: boolean): VersionReply {
  return { ...withLeftOut(version, content), id: String(version.version), created };
}

/** The manifest that brings nothing. */
export const EMPTY: Manifest = { format: 1, assets: [] };

/** What changes from one version to another, by default to the latest from the one before it. */
export async function diffVersions(ctx: Context, id: string, query: DiffQuery): Promise<{ json: string }> {
  const { latest_version, origin } = await getSnapshot(ctx, id);
  if (origin === "bought") await ensureVersion(ctx, id, null);
  const to = query.to ?? latest_version ?? 0;
  const from = query.from ?? Math.max(to - 1, 0);
  const read = (version: number) => (version === 0 ? EMPTY : manifestOf(ctx.db, ctx.scope.partner_id, id, version));
  const steps = diffManifests(await read(from), await read(to));
  return { json: JSON.stringify({ snapshot_id: id, from, to, steps }) };
}
