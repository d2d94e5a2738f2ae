import type { Asset, ManifestAsset } from "../../../accounts/configuring/index.ts";

/** The content of a version: every member of every spec is there, assets are in the order of types and keys. */
export type Manifest = { format: 1; assets: ManifestAsset[] };

/** A manifest as it was sent, in its canonical form. Refuses an invalid one with all its faults. */
export declare function parseManifest(assets: readonly Asset[], input: unknown, previous: Manifest | null): Manifest;
