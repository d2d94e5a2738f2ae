import { fail } from "../../../../kernel/errors.ts";
import type { Asset, ManifestAsset } from "../../../accounts/configuring/index.ts";

/** The content of a version: every member of every spec is there, assets are in the order of types and keys. */
export type Manifest = { format: 1; assets: ManifestAsset[] };

/** A manifest as it was sent, in its canonical form. Refuses an invalid one with all its faults. */
export function parseManifest(assets: readonly Asset[], input: unknown, _previous: Manifest | null): Manifest {
  const sent = input as Manifest;
  const types = assets.map(({ type }) => type);
  const completed = sent.assets.map(({ type, key, spec }, index) => {
    const asset = assets[types.indexOf(type)];
    const pointer = `#/manifest/assets/${index}/type`;
    const detail = `${type} is not a type of asset.`;
    if (asset === undefined)
      return fail("validation_failed", { faults: [{ in: "body", pointer, code: "unknown_type", detail }] });
    return { type, key, spec: asset.complete(spec) };
  });
  const rank = ({ type }: ManifestAsset) => types.indexOf(type);
  return { format: 1, assets: completed.sort((a, b) => rank(a) - rank(b) || (a.key < b.key ? -1 : 1)) };
}
