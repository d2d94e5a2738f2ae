import type { Asset, ListMerging, Live, ManifestAsset, Spec, Value } from "../../accounts/configuring/index.ts";
import type { Manifest } from "./manifest/model.ts";

/** The record that an asset was captured from. The key of a part is that of its asset, a slash and its own. */
export type Source = { type: string; key: string; record_id: string };

export type Capture = { manifest: Manifest; sources: Source[]; left_out: string[] };

export type CaptureInput = {
  assets: readonly Asset[];
  /** The records of the account by type. */
  state: Readonly<Record<string, readonly Live[]>>;
  /** The keys that records and parts of them have already, by id: those of the install, and of earlier captures. */
  known: ReadonlyMap<string, string>;
  previous: Manifest | null;
};

/** The live records of an account as a manifest. Each keeps the key that it had; what cannot leave the account is left out. */
export function manifestFrom({ assets, state, known, previous }: CaptureInput): Capture {
  const left_out: string[] = [];
  const sources: Source[] = [];
  const captured: ManifestAsset[] = [];
  for (const asset of assets) {
    const { type } = asset;
    const before = (previous?.assets ?? []).filter((one) => one.type === type);
    const records = (state[type] ?? []).flatMap((live) => {
      if (live.archived) return [];
      const portable = asset.portable(live.spec);
      left_out.push(...portable.left_out);
      return portable.spec === null ? [] : [{ ...live, spec: portable.spec }];
    });
    const keys = keysFor(
      records.map(({ id, key, spec }) => ({ own: key ?? known.get(id) ?? null, name: asset.natural(spec, key) })),
      before.map(({ key, spec }) => ({ key, name: asset.natural(spec, key) })),
      type,
    );
    for (const [index, live] of records.entries()) {
      const key = keys[index] ?? "";
      const spec = withPartKeys(asset, live, known, before.find((one) => one.key === key)?.spec ?? null);
      sources.push({ type, key, record_id: live.id }, ...partSources(asset, live, key, spec));
      captured.push({ type, key, spec });
    }
  }
  const resolved = withoutDangling(assets, captured, left_out);
  return { manifest: { format: 1, assets: resolved }, sources, left_out };
}

type Named = { own: string | null; name: string };

/** The keys of records or parts: the one that each has, or that of its namesake in the version before, or one made from its name. */
function keysFor(items: readonly Named[], before: readonly { key: string; name: string }[], noun: string): string[] {
  const taken = new Set<string>();
  const take = (key: string | null | undefined) => {
    if (key === null || key === undefined || taken.has(key)) return null;
    taken.add(key);
    return key;
  };
  const own = items.map((item) => take(item.own));
  const kept = items.map(({ name }, index) => own[index] ?? take(before.find((one) => one.name === name)?.key));
  // The key of something else in the version before would make it that.
  for (const { key } of before) taken.add(key);
  return items.map(({ name }, index) => kept[index] ?? newKey(slugOf(name, noun), take));
}

function newKey(slug: string, take: (key: string) => string | null): string {
  for (let count = 1; ; count += 1) {
    const key = take(count === 1 ? slug : `${slug}-${count}`);
    if (key !== null) return key;
  }
}

const SLUG_MAX = 56;

/** A name as a key: letters and digits without accents, the rest as hyphens. */
function slugOf(name: string, noun: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+/g, "")
    .slice(0, SLUG_MAX)
    .replaceAll(/-+$/g, "");
  return /^[a-z]/.test(slug) ? slug : `${noun}${slug === "" ? "" : `-${slug}`}`.slice(0, SLUG_MAX);
}

/** The list of an asset whose items have ids in the account. */
function partsOf({ merge }: Asset): [member: string, merging: ListMerging] | null {
  for (const [member, merging] of Object.entries(merge))
    if (typeof merging === "object" && merging.parts) return [member, merging];
  return null;
}

type Item = { readonly [member: string]: Value };
const itemsOf = (spec: Spec | null, member: string) => (spec?.[member] ?? []) as readonly Item[];

function withPartKeys(asset: Asset, { spec, parts }: Live, known: ReadonlyMap<string, string>, before: Spec | null): Spec {
  const list = partsOf(asset);
  if (list === null) return spec;
  const [member, { name }] = list;
  const items = itemsOf(spec, member);
  const keys = keysFor(
    items.map((item, index) => ({ own: known.get(parts[index] ?? "") ?? null, name: name(item) })),
    itemsOf(before, member).map((item) => ({ key: String(item.key), name: name(item) })),
    "item",
  );
  return { ...spec, [member]: items.map((item, index) => ({ ...item, key: keys[index] ?? "" })) };
}

function partSources(asset: Asset, { parts }: Live, key: string, spec: Spec): Source[] {
  const [member] = partsOf(asset) ?? [];
  if (member === undefined) return [];
  return itemsOf(spec, member).map((item, index) => ({
    type: asset.type,
    key: `${key}/${item.key}`,
    record_id: parts[index] ?? "",
  }));
}

/** Leaves out what refers to something that is not captured, as to an archived field: the item of a list, or the whole record. */
function withoutDangling(assets: readonly Asset[], captured: readonly ManifestAsset[], left_out: string[]): ManifestAsset[] {
  const there = new Set(captured.map(({ type, key }) => `${type}/${key}`));
  const byType = new Map(assets.map((asset) => [asset.type, asset]));
  return captured.flatMap(({ type, key, spec }) => {
    const dangling = (byType.get(type)?.references(spec) ?? []).filter((to) => !there.has(`${to.type}/${to.key}`));
    let kept: Value | null = spec;
    // From the last on, so that the pointers before it stay right.
    for (const to of dangling.toReversed()) {
      left_out.push(`${type} ${key} refers to ${to.type} ${to.key}, which is archived: ${to.pointer} is left out.`);
      const path = to.pointer.split("/").slice(1);
      const item = path.findLastIndex((name) => /^\d+$/.test(name));
      kept = kept === null || item < 0 ? null : without(kept, path.slice(0, item + 1));
    }
    return kept === null ? [] : [{ type, key, spec: kept as Spec }];
  });
}

/** A value without the item of a list that a path leads to. */
function without(value: Value, [name = "", ...rest]: readonly string[]): Value {
  if (Array.isArray(value)) {
    const index = Number(name);
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index] ?? null, rest));
  }
  const members = value as Item;
  return { ...members, [name]: without(members[name] ?? null, rest) };
}
