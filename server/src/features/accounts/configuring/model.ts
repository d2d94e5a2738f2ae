import type { Fault } from "../../../kernel/errors.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { TSchema } from "../../../platform/http/type.ts";
import type { Hooks } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";

export type Value = string | number | boolean | null | readonly Value[] | { readonly [member: string]: Value };

/** A piece of configuration as a manifest has it: every member is present, nothing of it depends on the account. */
export type Spec = { readonly [member: string]: Value };

/** What people call an asset, by its name or its label; null for what has neither. */
export function titleOf({ name, label }: Spec): string | null {
  const title = name ?? label;
  return typeof title === "string" ? title : null;
}

/** Some accounts of a partner. */
export type Accounts = { partner_id: string; ids: readonly string[] };

/** An asset of a manifest. Its key is the same in every version. */
export type ManifestAsset = { readonly type: string; readonly key: string; readonly spec: Spec };

/** The ids of the parts of a record that have their own, by the keys of the list's items: the stages of a pipeline. */
export type Parts = Readonly<Record<string, string>>;

/**
 * A record of an account. The items of a list with parts have no key; their ids are in `parts`, in the order of the list. `key` is the
 * key that a record has by itself, as a custom field has `deal.budget`; it is null where only snapshots give keys.
 */
export type Live = { id: string; archived: boolean; key: string | null; spec: Spec; parts: readonly string[] };

/**
 * How a member is merged. `value`: as a whole. `set`: element by element, sorted. `fixed`: it never changes. A list: item by item.
 * With `parts`, items have a `key` in a manifest and an id in an account, and an asset has one such list at most. Without, `name` tells
 * them apart, which is compared as it is. Items that are no objects have no members. The schema's `maxItems` limits a list.
 */
export type Merging = "value" | "set" | "fixed" | ListMerging;
export type ListMerging = {
  /** What is unique among the items of the list: the name of a stage or a rule in lower case, the text of an option. */
  name(item: Value): string;
  ordered: boolean;
  parts: boolean;
  members: Readonly<Record<string, "value" | "set" | "fixed">>;
};

/** A reference of a spec to another asset of the manifest. The pointer is relative to the spec: `/stages/0/required_fields/1`. */
export type Reference = { pointer: string; type: string; key: string };

/**
 * What a plan does to a record; at most one change for each. In `to`, items that came with a snapshot have their `key`; others, made in
 * the account, have none. `parts` are the ids of the items of `to`, null for a new one; a part that was removed before comes back with its id.
 * Where an exclusive member goes from one record to another, both have a change. Names may be swapped between records.
 */
export type Change =
  /** With the id of the record that it was, where a removal is undone and the record is gone. */
  | { do: "create"; key: string; id?: string; to: Spec }
  | { do: "update" | "revive"; key: string; id: string; parts: readonly (string | null)[]; to: Spec }
  /** `unmade`: it was made by the deployment that is rolled back, and is deleted if nothing has used it. */
  | { do: "remove"; key: string; id: string; unmade: boolean };

/** The record that a change made or changed, with the ids of its parts in the order of `to`. */
export type Applied = { key: string; id: string; parts: readonly string[] };

/** Of a record, or of some of its parts, that a plan would remove. */
export type Removal = { id: string; parts: readonly string[] };

/** What cannot be removed because it is in use: the whole record where `part` is null. `count` says by how many. */
export type Block = { account_id: string; id: string; part: string | null; count: number };

/** What a feature contributes to snapshots: one type of configuration. Every call takes any number of accounts. */
export type Asset = {
  type: string;
  /** The types that it refers to: they are applied before it, and removed after it. */
  after: readonly string[];
  /** Of a spec as it is sent: members with a default may be missing. */
  spec: TSchema;
  /** Fills in defaults, sorts sets. The input is valid by the schema. */
  complete(spec: Spec): Spec;
  /** What its keys must match, beyond the form of all keys. */
  keys: RegExp | null;
  /** Every member of a spec. */
  merge: Readonly<Record<string, Merging>>;
  /** What is unique among the live records of an account, in the form in which it is compared. The key is that of `Live`, or of the manifest. */
  natural(spec: Spec, key: string | null): string;
  /** Pointers such as `/stages/0/required_fields/1`, relative to the spec. */
  references(spec: Spec): Reference[];
  /**
   * What the schema cannot say. Pointers such as `/stages/0/type`, relative to the spec. `previous` is the same asset in the version
   * before. It is also asked about a merged spec, in which items that were made in the account have no key.
   */
  validate(spec: Spec, previous: Spec | null): Fault[];
  /** What cannot leave the account is left out: the rest, and a sentence for each thing left out. Null leaves out the record. */
  portable(spec: Spec): { spec: Spec | null; left_out: string[] };
  /** What an account has before anybody has changed it. */
  builtin: readonly Spec[];
  /** The ids of what is built in at a new account, parts after their record. */
  builtinIds(account_id: string): readonly string[];
  /** The member that at most one live record of an account has as true, such as `is_default`. */
  exclusive: string | null;
  /** How many records of a group an account may have; `archived`: archived ones count. */
  limit: { max: number; group(spec: Spec, key: string | null): string; archived: boolean };
  /** Whether an archived record keeps its name from others. */
  archived_holds_name: boolean;
  /** Of each account: a digest of its records in the order of ids, without the ids; and these ids, parts after their record. */
  look(db: Queryable, of: Accounts): Promise<Map<string, { digest: string; ids: readonly string[] }>>;
  /** The records in the order of ids, archived ones included. Equal digests have equal records but for ids. */
  read(db: Queryable, of: Accounts): Promise<Map<string, Live[]>>;
  blocked(tx: Tx, hooks: Hooks, of: Accounts, removals: ReadonlyMap<string, readonly Removal[]>): Promise<Block[]>;
  /** Applies changes to accounts that are locked, with as few statements as the accounts share. Of removals it returns nothing. */
  apply(tx: Tx, of: Accounts, changes: ReadonlyMap<string, readonly Change[]>, hooks: Hooks): Promise<Map<string, Applied[]>>;
  /** What follows its changes at an account that somebody waits for, once they are committed. Elsewhere a job does it. */
  settle?(db: Database, now: Date, partner_id: string, account_id: string): Promise<unknown>;
};
