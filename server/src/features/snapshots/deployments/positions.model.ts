import type { Block, Change, Live, Removal } from "../../accounts/configuring/index.ts";
import type { Changed, Install, InstallEntry, State } from "./plan/model.ts";

/**
 * The ids of one account as positions: `#0` is the first one that was looked up. Accounts in the same state are the same in positions, so
 * they share one plan, and each takes its own ids for what the plan changes.
 */
export type Positions = {
  of(id: string): string;
  /** What is no position is an id already. */
  idAt(position: string): string;
};

type Translate = (id: string) => string;

/** Ids that are not among those looked up, because their records are gone, follow in the order in which they are asked for. */
export function positionsOf(looked: readonly string[]): Positions {
  const ids = [...looked];
  const positions = new Map(ids.map((id, index) => [id, `#${index}`]));
  return {
    of(id) {
      const position = positions.get(id) ?? `#${ids.push(id) - 1}`;
      positions.set(id, position);
      return position;
    },
    idAt(position) {
      if (!position.startsWith("#")) return position;
      const id = ids[Number(position.slice(1))];
      if (id === undefined) throw new Error(`the account has nothing at ${position}`);
      return id;
    },
  };
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));
}

/** An install with other ids. */
export function translateInstall<Of extends Install>(install: Of, to: Translate): Of {
  const entry = (of: InstallEntry): InstallEntry => ({ ...of, id: to(of.id), parts: mapValues(of.parts, to) });
  return { ...install, entries: mapValues(install.entries, entry) };
}

/** The ids of what a deployment changed, as others. */
export function translateChanged(changed: Changed, to: Translate): Changed {
  return mapValues(changed, ({ id, parts }) => ({ id: to(id), parts: mapValues(parts, to) }));
}

/** The records of an account in positions. */
export function stateInPositions(records: Readonly<Record<string, readonly Live[]>>, { of }: Positions): State {
  return mapValues(records, (list) => list.map((live) => ({ ...live, id: of(live.id), parts: live.parts.map(of) })));
}

/** A block in positions, of whichever account. */
export function blockInPositions({ id, part, count }: Block, { of }: Positions): Block {
  return { account_id: "", id: of(id), part: part === null ? null : of(part), count };
}

/** Changes with the ids of an account. */
export function changesWithIds(changes: readonly Change[], { idAt }: Positions): Change[] {
  return changes.map((change) => {
    if (change.do === "create") return change.id === undefined ? change : { ...change, id: idAt(change.id) };
    if (change.do === "remove") return { ...change, id: idAt(change.id) };
    return { ...change, id: idAt(change.id), parts: change.parts.map((part) => (part === null ? null : idAt(part))) };
  });
}

export function removalsWithIds(removals: readonly Removal[], { idAt }: Positions): Removal[] {
  return removals.map(({ id, parts }) => ({ id: idAt(id), parts: parts.map(idAt) }));
}

/** The records that an install owns, as `type/id`. */
export function ownedBy(entries: Install["entries"], to: Translate = (id) => id): string[] {
  return Object.entries(entries).map(([name, { id }]) => `${name.slice(0, name.indexOf("/"))}/${to(id)}`);
}
