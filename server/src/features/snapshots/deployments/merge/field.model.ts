import { equal, type Value } from "../../../accounts/configuring/index.ts";

/** A thing in its three versions. What is not there is undefined. */
export type Versions<T = Value> = { base: T | undefined; client: T; snapshot: T };

type Outcome = { value: Value; conflict: "both_changed" | "type_stays" | null };

/** A field of an asset or of an item that both sides have. The client's edits stay, unless they are to be overwritten. */
export function mergeField(how: "value" | "set" | "fixed", versions: Versions, overwrite: boolean): Outcome {
  const { base, client, snapshot } = versions;
  const settled = (value: Value): Outcome => ({ value, conflict: null });
  if (equal(client, snapshot)) return settled(client);
  if (how === "fixed") return { value: client, conflict: "type_stays" };
  if (overwrite || equal(client, base)) return settled(snapshot);
  if (equal(snapshot, base)) return settled(client);
  if (how === "set") return settled(mergeSet(versions as Versions<readonly Value[]>));
  return { value: client, conflict: "both_changed" };
}

/** Element by element. An element is there or not, so the two sides never differ where both have changed something. */
function mergeSet({ base = [], client, snapshot }: Versions<readonly Value[]>): Value[] {
  const kept = client.filter((element) => snapshot.includes(element) || !base.includes(element));
  const added = snapshot.filter((element) => !client.includes(element) && !base.includes(element));
  return [...kept, ...added].sort();
}
