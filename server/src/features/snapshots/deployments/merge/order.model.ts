import { equal } from "../../../accounts/configuring/index.ts";

export type Order = { keys: string[]; conflict: boolean };

/**
 * The order of the items that are there after a merge. It is one more field: who alone has moved items that all versions have decides,
 * and the client where both have. The items that only the other side has follow their own predecessors.
 */
export function mergeOrder(
  base: readonly string[],
  client: readonly string[],
  snapshot: readonly string[],
  there: ReadonlySet<string>,
  overwrite: boolean,
): Order {
  const common = (keys: readonly string[]) =>
    keys.filter((key) => [base, client, snapshot].every((other) => other.includes(key)));
  const [before, theirs, ours] = [common(base), common(client), common(snapshot)];
  const [moved_here, moved_there] = [!equal(before, theirs), !equal(before, ours)];
  const ours_leads = overwrite || (moved_there && !moved_here);
  const [leader, follower] = ours_leads ? [snapshot, client] : [client, snapshot];
  const keys = leader.filter((key) => there.has(key));
  let predecessor = -1;
  for (const key of follower.filter((one) => there.has(one))) {
    if (!keys.includes(key)) keys.splice(predecessor + 1, 0, key);
    predecessor = keys.indexOf(key);
  }
  return { keys, conflict: !overwrite && moved_here && moved_there && !equal(theirs, ours) };
}
