import { actorOf } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { canonicalText, hashOf } from "../../accounts/configuring/index.ts";
import { ASSETS } from "./assets.model.ts";
import { captureAccount } from "./capture.commands.ts";
import type { Capture } from "./capture.model.ts";
import { saveSources } from "./capture.queries.ts";
import { manifestOf } from "./deployable.commands.ts";
import { type Manifest, parseManifest } from "./manifest/model.ts";
import { refuse, type Snapshot } from "./model.ts";
import { insertVersion, type Version } from "./versions/queries.ts";
import type { VersionCreate } from "./versions/schema.ts";

/** What a version holds; of a capture also where it comes from, and what was left out. */
export type Content = { manifest: Manifest; text: string; sha256: string; account_id: string | null; capture: Capture | null };

/** The content of a new version: of a manifest, or of an account that is locked. */
export async function contentFor(ctx: Context, tx: Tx, snapshot: Snapshot | null, input: VersionCreate): Promise<Content> {
  const { manifest: sent, source_client_id } = input;
  const previous = await latestOf(tx, ctx, snapshot);
  const known = snapshot === null ? null : { id: snapshot.id, previous };
  const capture = source_client_id === undefined ? null : await captureAccount(ctx, tx, source_client_id, known);
  const manifest = parseManifest(ASSETS, capture?.manifest ?? sent, previous);
  const text = canonicalText(manifest);
  return { manifest, text, sha256: hashOf(text), account_id: source_client_id ?? null, capture };
}

/** Refuses a body with two contents. */
export function requireOneContent({ manifest, source_client_id }: VersionCreate): void {
  if (manifest === undefined || source_client_id === undefined) return;
  refuse("#/source_client_id", "only_one", "Send either a manifest or a source_client_id.");
}

async function latestOf(tx: Tx, { scope }: Context, snapshot: Snapshot | null): Promise<Manifest | null> {
  const version = snapshot?.latest_version ?? null;
  return snapshot === null || version === null ? null : manifestOf(tx, scope.partner_id, snapshot.id, version);
}

type Made = { version: number; changelog: string | null; content: Content };

/** Stores a version of a snapshot that is locked, or new. */
export async function storeVersion(ctx: Context, tx: Tx, snapshot_id: string, made: Made): Promise<Version> {
  const { manifest, text, sha256 } = made.content;
  const asset_counts: Record<string, number> = {};
  for (const { type } of manifest.assets) asset_counts[type] = (asset_counts[type] ?? 0) + 1;
  const { version, changelog } = made;
  const created_by = actorOf(ctx.principal).id;
  return insertVersion(tx, ctx.scope, { snapshot_id, version, changelog, sha256, text, asset_counts, created_by });
}

/** Keeps where a capture came from, also if it brought nothing new. */
export async function keepSources(ctx: Context, tx: Tx, snapshot_id: string, { capture, account_id }: Content): Promise<void> {
  if (capture !== null && account_id !== null) await saveSources(tx, ctx.scope, snapshot_id, account_id, capture.sources);
}

/** A reply with what was left out of a capture. */
export function withLeftOut<Reply extends { json: string }>(reply: Reply, content: Content | null): Reply {
  const { left_out = [] } = content?.capture ?? {};
  return { ...reply, json: JSON.stringify({ ...JSON.parse(reply.json), left_out }) };
}
