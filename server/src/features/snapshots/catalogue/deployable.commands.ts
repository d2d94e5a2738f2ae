import { fail, notFound } from "../../../kernel/errors.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { LruMap } from "../../../platform/db/lru.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { ensureVersion } from "./licences.commands.ts";
import type { Manifest } from "./manifest/model.ts";
import { OBSTACLES, obstacleOf } from "./model.ts";
import { snapshotOrNull } from "./queries.ts";
import { contentOf, hashOrNull } from "./versions/queries.ts";

/** Large manifests are rare and not kept, so that those in memory have a few MiB together. */
const KEPT_MAX = 100;
const KEPT_LENGTH_MAX = 128 * 1024;

/** Manifests by the hash of their text: what has the same hash is the same, whoever asks for it. */
const kept = new LruMap<Manifest>(KEPT_MAX);

/** The manifest of a version that is there. */
export async function manifestOf(db: Queryable, partner_id: string, snapshot_id: string, version: number): Promise<Manifest> {
  const sha256 = await hashOrNull(db, partner_id, snapshot_id, version);
  return sha256 === null ? notFound(`Version ${version} of ${snapshot_id}`) : manifestBy(db, partner_id, sha256);
}

async function manifestBy(db: Queryable, partner_id: string, sha256: string): Promise<Manifest> {
  const known = kept.get(sha256);
  if (known !== undefined) return known;
  const text = await contentOf(db, partner_id, sha256);
  const manifest = JSON.parse(text) as Manifest;
  if (text.length <= KEPT_LENGTH_MAX) kept.set(sha256, manifest);
  return manifest;
}

/** What is deployed of a snapshot: a version of it, the latest for null. */
export type Deployable = { snapshot_id: string; version: number; sha256: string; manifest: Manifest };

/** A version that may be deployed, or a refusal. A deprecated snapshot is only updated where it runs. */
export async function deployableVersion(
  db: Queryable,
  scope: TenantScope,
  snapshot_id: string,
  wanted: number | null,
  how: "install" | "update",
): Promise<Deployable> {
  const snapshot = (await snapshotOrNull(db, scope, snapshot_id)) ?? notFound(snapshot_id);
  const obstacle = obstacleOf(snapshot, how);
  if (obstacle !== null) refuseDeployment(obstacle, `The snapshot ${snapshot.name} ${OBSTACLES[obstacle]}.`);
  if (snapshot.origin === "bought") await ensureVersion({ db, scope }, snapshot_id, wanted);
  const version = wanted ?? snapshot.latest_version ?? 0;
  const sha256 = await hashOrNull(db, scope.partner_id, snapshot_id, version);
  if (sha256 === null) refuseDeployment("no_version", `The snapshot ${snapshot.name} has no version ${version}.`);
  return { snapshot_id, version, sha256, manifest: await manifestBy(db, scope.partner_id, sha256) };
}

function refuseDeployment(reason: string, detail: string): never {
  fail("snapshot_not_deployable", { detail, meta: { reason } });
}
