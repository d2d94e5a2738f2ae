import { actorOf } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { canonicalText, hashOf } from "../../accounts/configuring/index.ts";
import { ASSETS } from "./assets.model.ts";
import { manifestOf } from "./deployable.commands.ts";
import { type Manifest, parseManifest } from "./manifest/model.ts";
import { refuse, type Snapshot } from "./model.ts";
import { insertVersion, type Version } from "./versions/queries.ts";
import type { VersionCreate } from "./versions/schema.ts";

/** What a version holds, and what was left out of it when it was captured. */
export type Content = { manifest: Manifest; text: string; sha256: string; left_out: string[] };

/** The content of a new version: of a manifest, or of an account. */
export async function contentFor(ctx: Context, tx: Tx, snapshot: Snapshot | null, input: VersionCreate): Promise<Content> {
  const { manifest, source_client_id } = input;
  const detail = "Send either a manifest or a source_client_id.";
  if (manifest !== undefined && source_client_id !== undefined) refuse("#/source_client_id", "only_one", detail);
  const previous = await latestOf(tx, ctx, snapshot);
  const parsed = parseManifest(ASSETS, manifest, previous);
  const text = canonicalText(parsed);
  return { manifest: parsed, text, sha256: hashOf(text), left_out: [] };
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

/** A reply with what was left out of a capture. */
export function withLeftOut<Reply extends { json: string }>(reply: Reply, left_out: readonly string[]): Reply {
  return { ...reply, json: JSON.stringify({ ...JSON.parse(reply.json), left_out }) };
}
