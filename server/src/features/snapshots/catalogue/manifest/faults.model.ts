import type { Fault } from "../../../../kernel/errors.ts";
import type { Asset, ManifestAsset } from "../../../accounts/configuring/index.ts";

/** An asset that is valid by its schema, with its place in what was sent. */
export type Placed = ManifestAsset & { asset: Asset; pointer: string };

const nameOf = ({ type, key }: { type: string; key: string }) => `${type}/${key}`;
const faultAt = (pointer: string, code: string, detail: string): Fault => ({ in: "body", pointer, code, detail });

/** What is wrong among assets, each of which is valid by its schema. `sent` are all of them, also those that are not. */
export function faultsAmong(
  placed: readonly Placed[],
  sent: readonly ManifestAsset[],
  previous: { readonly assets: readonly ManifestAsset[] } | null,
): Fault[] {
  const before = new Map(previous?.assets.map((one) => [nameOf(one), one.spec]));
  const own = placed.flatMap((one) =>
    one.asset.validate(one.spec, before.get(nameOf(one)) ?? null).map((fault) => ({
      ...fault,
      pointer: `${one.pointer}/spec${fault.pointer.replace("#", "")}`,
    })),
  );
  return [...own, ...duplicates(placed), ...defaults(placed), ...dangling(placed, sent), ...cycles(placed)];
}

function duplicates(placed: readonly Placed[]): Fault[] {
  const repeats = (identity: (one: Placed) => string) => {
    const groups = Map.groupBy(placed, (one) => JSON.stringify([one.type, identity(one)]));
    return [...groups.values()].flatMap(([, ...more]) => more);
  };
  const keys = repeats(({ key }) => key);
  const names = repeats(({ asset, spec, key }) => asset.natural(spec, key)).filter((one) => !keys.includes(one));
  return [
    ...keys.map(({ pointer, type, key }) =>
      faultAt(`${pointer}/key`, "duplicate_key", `Two assets of type ${type} have the key ${key}.`),
    ),
    ...names.map(({ pointer, type, key }) =>
      faultAt(`${pointer}/spec`, "duplicate_name", `Another asset of type ${type} has the same name as ${key}.`),
    ),
  ];
}

function defaults(placed: readonly Placed[]): Fault[] {
  const claiming = placed.filter(({ asset, spec }) => asset.exclusive !== null && spec[asset.exclusive] === true);
  const second = [...Map.groupBy(claiming, ({ type }) => type).values()].flatMap(([, ...more]) => more);
  return second.map(({ asset, pointer, type }) =>
    faultAt(`${pointer}/spec/${asset.exclusive}`, "two_defaults", `Only one asset of type ${type} can be the default.`),
  );
}

function dangling(placed: readonly Placed[], sent: readonly ManifestAsset[]): Fault[] {
  const there = new Set(sent.map(nameOf));
  return placed.flatMap(({ asset, spec, pointer }) =>
    asset
      .references(spec)
      .filter((reference) => !there.has(nameOf(reference)))
      .map(({ pointer: at, type, key }) =>
        faultAt(`${pointer}/spec${at}`, "dangling_reference", `The manifest has no asset of type ${type} with the key ${key}.`),
      ),
  );
}

/** The references that lead back to where they come from. */
function cycles(placed: readonly Placed[]): Fault[] {
  const edges = new Map(placed.map((one) => [nameOf(one), one.asset.references(one.spec)]));
  const leadsTo = (from: string, goal: string, seen: Set<string>): boolean =>
    from === goal || (!seen.has(from) && (edges.get(from) ?? []).some((next) => leadsTo(nameOf(next), goal, seen.add(from))));
  return placed.flatMap((one) =>
    (edges.get(nameOf(one)) ?? [])
      .filter((next) => leadsTo(nameOf(next), nameOf(one), new Set()))
      .map(({ pointer, type, key }) =>
        faultAt(`${one.pointer}/spec${pointer}`, "cycle", `${type} ${key} refers back to this asset.`),
      ),
  );
}
