import { LruMap } from "../../../platform/db/lru.ts";
import {
  type Applied,
  type Asset,
  type Change,
  canonicalText,
  hashOf,
  type Live,
  type Spec,
} from "../../accounts/configuring/index.ts";
import { ASSETS } from "../catalogue/index.ts";
import { itemsOf, keyed, madeHere, partsOf, plain } from "./merge/keyed.model.ts";
import type { Source } from "./model.ts";
import { type Planned, planFor, type State } from "./plan/model.ts";
import { ownedBy, positionsOf } from "./positions.model.ts";
import type { Survey } from "./survey.commands.ts";

/** An account that is being created, and whether it begins with the built-in pipeline. */
export type NewAccount = { partner_id: string; id: string; first_pipeline: boolean };

type Opening = Pick<Survey, "others" | "state_hash"> & { planned: Planned };

const KEPT_MAX = 100;

/** The plans of snapshots for new accounts, by what they are made from: new accounts are all the same. */
const kept = new LruMap<Opening[]>(KEPT_MAX);

/** The plans of snapshots for an account that has nothing but what is built in, each after those before it. */
export function plansForNew(
  { id, first_pipeline }: NewAccount,
  sources: readonly Source[],
): { survey: Survey; planned: Planned }[] {
  const assets = ASSETS.filter(({ type }) => first_pipeline || type !== "pipeline");
  const key = JSON.stringify([first_pipeline, sources.map(({ snapshot_id, version }) => [snapshot_id, version])]);
  const positions = positionsOf(assets.flatMap((asset) => asset.builtinIds(id)));
  const common = { client_id: id, positions, stored: null, install: null };
  return kept
    .getOrMake(key, () => openings(openingState(assets), sources))
    .map(({ planned, ...seen }) => ({ survey: { ...common, ...seen }, planned }));
}

function openings(opened: State, sources: readonly Source[]): Opening[] {
  let state = opened;
  let others: ReadonlySet<string> = new Set<string>();
  return sources.map((source, index) => {
    const before = sources.slice(0, index).map(({ snapshot_id, version }) => [snapshot_id, version]);
    const state_hash = hashOf(canonicalText(["new", Object.keys(opened), before]));
    const circumstances = { assets: ASSETS, install: null, others, state, state_hash, blocks: [], policy: "merge" } as const;
    const planned = planFor({ ...circumstances, ...source, bases: () => source.manifest });
    const opening = { planned, others, state_hash };
    const next = after(state, planned, `${index}`);
    state = next.state;
    others = new Set([...others, ...ownedBy(planned.install(next.applied).entries)]);
    return opening;
  });
}

/** What is built in, in positions. */
function openingState(assets: readonly Asset[]): State {
  let count = 0;
  const position = () => `#${count++}`;
  const live = (asset: Asset, spec: Spec): Live => {
    const id = position();
    return { id, archived: false, key: null, spec, parts: partItems(asset, spec).map(position) };
  };
  return Object.fromEntries(assets.map((asset) => [asset.type, asset.builtin.map((spec) => live(asset, spec))]));
}

const partItems = (asset: Asset, spec: Spec) => itemsOf(spec, partsOf(asset)?.[0] ?? "") ?? [];

/** The records of an account after a plan was applied to it. What it makes has ids that no other plan of the account names. */
function after(state: State, { changes }: Planned, made: string): { state: State; applied: Record<string, Applied[]> } {
  const next: Record<string, readonly Live[]> = { ...state };
  const applied: Record<string, Applied[]> = {};
  for (const asset of ASSETS) {
    const saved = (changes[asset.type] ?? []).flatMap((change) => (change.do === "remove" ? [] : [changed(asset, change, made)]));
    const ids = new Set(saved.map(({ live }) => live.id));
    next[asset.type] = [...(state[asset.type] ?? []).filter(({ id }) => !ids.has(id)), ...saved.map(({ live }) => live)];
    applied[asset.type] = saved.map(({ key, live: { id, parts } }) => ({ key, id, parts }));
  }
  return { state: next, applied };
}

function changed(asset: Asset, change: Exclude<Change, { do: "remove" }>, made: string): { key: string; live: Live } {
  const { key, to } = change;
  const id = change.do === "create" ? `${made} ${asset.type}/${key}` : change.id;
  const known = change.do === "create" ? [] : change.parts;
  const items = partItems(asset, to);
  const parts = items.map((_, index) => known[index] ?? `${id} ${index}`);
  const withoutKeys = plain(
    asset,
    keyed(
      asset,
      to,
      items.map((_, index) => madeHere(index)),
    ),
    false,
  );
  return { key, live: { id, archived: false, key: asset.keys === null ? null : key, spec: withoutKeys, parts } };
}
