import type { Manifest } from "../features/snapshots/catalogue/index.ts";
import { Refusal } from "../kernel/errors.ts";
import { isId } from "../kernel/ids.ts";
import type { Context } from "../platform/record/context.ts";
import type { Option } from "./shell/command.ts";
import { CommandRefusal } from "./shell/errors.ts";
import type { DiffStep } from "./snapshot-diff.ts";
import { type Folder, folderIsEmpty, readFolder, type Schemas } from "./snapshot-folder.ts";

export type Snapshot = {
  id: string;
  name: string;
  description: string | null;
  status: string;
  origin: string;
  latest_version: number | null;
  updated_at: string;
  version: number;
};

export const CHANGELOG_OPTION = {
  changelog: { type: "text", value: "TEXT", description: "What has changed, for those who deploy the version." },
} as const satisfies Record<string, Option>;

const catalogue = () => import("../features/snapshots/catalogue/index.ts");

/** The schemas of specs by type. */
export async function schemasOfSpecs(): Promise<Schemas> {
  const { ASSETS } = await catalogue();
  return Object.fromEntries(ASSETS.map(({ type, spec }) => [type, spec]));
}

/** A snapshot by its id, or by its whole name. */
export async function findSnapshot(ctx: Context, id_or_name: string): Promise<Snapshot> {
  const { getSnapshot, snapshotNamedOrNull } = await catalogue();
  const id = isId("snapshot", id_or_name) ? id_or_name : await snapshotNamedOrNull(ctx.db, ctx.scope, id_or_name);
  if (id !== null) return getSnapshot(ctx, id);
  const message = `The partner has no snapshot with the id or name ${id_or_name}.`;
  throw new CommandRefusal("not_found", message, "tributary snapshots list shows its snapshots.");
}

export async function manifestOf(ctx: Context, id: string, version: number): Promise<Manifest> {
  return (await catalogue()).manifestOf(ctx.db, ctx.scope.partner_id, id, version);
}

/** A folder and what it has other than the latest version of its snapshot; `latest` is null where it is not in the catalogue. */
export type Compared = Folder & { latest: Snapshot | null; steps: DiffStep[] };

export async function compareFolder(ctx: Context, path: string): Promise<Compared> {
  const { diffManifests } = await catalogue();
  const folder = await readFolder(path);
  const { id } = folder.header;
  const latest = id === undefined ? null : await findSnapshot(ctx, id);
  const version = latest?.latest_version ?? null;
  const before = latest === null || version === null ? null : await manifestOf(ctx, latest.id, version);
  const steps = diffManifests(before ?? { format: 1, assets: [] }, await parsed(folder, before));
  return { ...folder, latest, steps };
}

/** The content of a folder in its canonical form. Faults name the files that they are in. */
async function parsed({ manifest, files }: Folder, previous: Manifest | null): Promise<Manifest> {
  const { ASSETS, parseManifest } = await catalogue();
  const { unstorable } = await import("../platform/http/body.ts");
  try {
    const faults = unstorable({ manifest });
    if (faults.length > 0) throw new Refusal("validation_failed", { faults });
    return parseManifest(ASSETS, manifest, previous);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const faults = error.explanation.faults?.map((fault) => {
      const [, index, pointer = ""] = /^#\/manifest\/assets\/(\d+)(?:\/spec)?(.*)$/.exec(fault.pointer) ?? [];
      return { ...fault, detail: index === undefined ? fault.detail : `${files[Number(index)]}${pointer}: ${fault.detail}` };
    });
    throw faults === undefined ? error : new Refusal(error.code, { faults });
  }
}

/** Adds what is in a folder to the catalogue, unless somebody else has added a version since it was compared. */
export async function pushFolder(
  ctx: Context,
  { header, manifest, latest }: Compared,
  changelog: string | undefined,
): Promise<{ id: string; version: number }> {
  const { createSnapshot, createVersion } = await catalogue();
  const content = { manifest: manifest as Manifest, ...(changelog === undefined ? {} : { changelog }) };
  if (latest === null) {
    const { name, description = null } = header;
    return { id: (await createSnapshot(ctx, { name, description, ...content })).id, version: 1 };
  }
  const { version } = await createVersion({ ...ctx, expected_version: latest.version }, latest.id, content);
  return { id: latest.id, version };
}

/** Refuses to overwrite a folder with another snapshot, or with changes that were not pushed. */
export async function refuseLosses(ctx: Context, path: string, id: string): Promise<void> {
  if (await folderIsEmpty(path)) return;
  const folder = await readFolder(path);
  const { header } = folder;
  const remedy = "--force overwrites it.";
  if (header.id !== id || header.version === undefined)
    throw new CommandRefusal("folder_in_use", `${path} has another snapshot: ${header.name}.`, remedy);
  const { canonicalText } = await catalogue();
  const base = await manifestOf(ctx, id, header.version);
  if (canonicalText(await parsed(folder, null)) !== canonicalText(base))
    throw new CommandRefusal("folder_in_use", `${path} has changes that were not pushed.`, remedy);
}
