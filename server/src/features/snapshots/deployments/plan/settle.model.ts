import type { Asset, Live } from "../../../accounts/configuring/index.ts";
import { type Keyed, keyed, madeHere, plain } from "../merge/keyed.model.ts";
import { withNameOf } from "../merge/list.model.ts";
import { type Named, untangle } from "../merge/untangle.model.ts";
import { become, type Fate, isBuiltin, isLive, leave, nameOf, naturalOf, type Target, tell } from "./fate.model.ts";

/**
 * What the records of one type owe to each other: names, how many there may be, the one that is the default. Each rule only takes changes
 * back, so this ends.
 */
export function settle(target: Target, asset: Asset, fates: readonly Fate[]): Fate[] {
  const concerned = new Set(fates.map(({ record }) => record?.id));
  const bystanders = (target.state[asset.type] ?? []).filter(({ id }) => !concerned.has(id));
  while (
    settleNames(asset, fates, bystanders) ||
    settleLimit(asset, fates, bystanders) ||
    settleExclusive(target, asset, fates, bystanders)
  );
  return [...fates, ...demoted(target, asset, fates, bystanders)];
}

function settleNames(asset: Asset, fates: readonly Fate[], bystanders: readonly Live[]): boolean {
  const holds = (record: Live | null) => record !== null && (!record.archived || asset.archived_holds_name);
  const others = bystanders.filter(holds).map(({ spec, key }): Named => {
    const name = asset.natural(spec, key);
    return { name: () => name, changed: () => false, giveUp: () => undefined };
  });
  return untangle([...fates.map((fate) => named(fate, holds(fate.record))), ...others]);
}

function named(fate: Fate, held: boolean): Named {
  const before = held && fate.client !== null ? naturalOf(fate, fate.client) : null;
  let [spec, name] = [fate.to, fate.to === null ? null : naturalOf(fate, fate.to)];
  const current = () => {
    if (spec !== fate.to) [spec, name] = [fate.to, fate.to === null ? null : naturalOf(fate, fate.to)];
    return name ?? (fate.asset.archived_holds_name ? before : null);
  };
  return {
    name: current,
    changed: () => fate.to !== null && current() !== before,
    giveUp: () => {
      tell(fate, "name_taken", "", "Another record here has the same name.");
      if (!isLive(fate.record) || fate.to === null || fate.client === null) leave(fate, "same");
      else become(fate, withClientName(fate, fate.to, fate.client));
    },
  };
}

function withClientName(fate: Fate, to: Keyed, client: Keyed): Keyed {
  const name = (values: Keyed["values"]) => naturalOf(fate, { values, lists: to.lists });
  return { values: withNameOf(name, client.values, to.values), lists: to.lists };
}

/** The first new ones of a group come in, as long as there is room. */
function settleLimit({ limit, ...asset }: Asset, fates: readonly Fate[], bystanders: readonly Live[]): boolean {
  const counts = (record: Live | null) => record !== null && (!record.archived || limit.archived);
  const enters = ({ action, record }: Fate) => action === "create" || (action === "revive" && !counts(record));
  const leaves = ({ action }: Fate) => action === "remove" && !limit.archived;
  const groupOf = (fate: Fate, spec: Keyed) => limit.group(plain(fate.asset, spec, false), fate.record?.key ?? fate.key);
  const used = new Map<string, number>();
  const count = (group: string) => used.set(group, (used.get(group) ?? 0) + 1);
  for (const { spec, key } of bystanders.filter(counts)) count(limit.group(spec, key));
  for (const fate of fates) if (counts(fate.record) && fate.client !== null && !leaves(fate)) count(groupOf(fate, fate.client));
  let again = false;
  for (const fate of fates.filter(enters)) {
    const group = groupOf(fate, fate.to ?? (fate.snapshot as Keyed));
    if ((used.get(group) ?? 0) < limit.max) count(group);
    else {
      tell(fate, "limit_reached", "", `An account has at most ${limit.max} of type ${asset.type}.`);
      leave(fate, "same");
      again = true;
    }
  }
  return again;
}

const has = (spec: Keyed | null, member: string) => spec?.values[member] === true;
const had = ({ record, client }: Fate, member: string) => isLive(record) && has(client, member);

/**
 * At most one record has an exclusive member, and once one has it, there is always one. It is taken from a record of the snapshot, or from
 * one that nobody has touched since the account was opened; from no other.
 */
function settleExclusive(target: Target, asset: Asset, fates: readonly Fate[], bystanders: readonly Live[]): boolean {
  const member = asset.exclusive;
  if (member === null) return false;
  const [first, ...more] = fates.filter((fate) => has(fate.to, member) && !had(fate, member));
  const stays =
    fates.some((fate) => has(fate.to, member) && had(fate, member)) ||
    bystanders.some((one) => isLive(one) && one.spec[member] === true && !isUntouched(target, asset, one));
  const refused = first === undefined ? [] : stays ? [first, ...more] : more;
  for (const fate of refused) {
    tell(fate, "default_taken", member, "Another record here is the default, and stays it.");
    become(fate, { ...(fate.to as Keyed), values: { ...fate.to?.values, [member]: false } });
  }
  if (refused.length > 0) return true;
  const loser = first === undefined && !stays ? fates.find((fate) => had(fate, member)) : undefined;
  if (loser === undefined) return false;
  if (loser.action === "remove") {
    leave(loser, "same");
    tell(
      loser,
      "default_needed",
      "",
      "It is gone from the snapshot but is the default here. It stays until another is the default.",
    );
  } else become(loser, { ...(loser.to as Keyed), values: { ...loser.to?.values, [member]: true } });
  return true;
}

function isUntouched({ others }: Target, asset: Asset, { id, spec }: Live): boolean {
  return !others.has(nameOf(asset.type, id)) && isBuiltin(asset, spec);
}

/** The untouched record that is no longer the default, because a record of the snapshot is. */
function demoted(target: Target, asset: Asset, fates: readonly Fate[], bystanders: readonly Live[]): Fate[] {
  const member = asset.exclusive;
  if (member === null || !fates.some((fate) => has(fate.to, member))) return [];
  return bystanders
    .filter((one) => isLive(one) && one.spec[member] === true)
    .map((record): Fate => {
      const client = keyed(
        asset,
        record.spec,
        record.parts.map((_, position) => madeHere(position)),
      );
      const to = { ...client, values: { ...client.values, [member]: false } };
      const key = madeHere(target.state[asset.type]?.indexOf(record) ?? 0);
      const same = { asset, key, record, entry: null, base: client, client, snapshot: to, conflicts: [] };
      return { ...same, action: "update", adopts: false, to, outcome: "same", held: [], released: [] };
    });
}
