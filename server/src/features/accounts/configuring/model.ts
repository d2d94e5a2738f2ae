import type { Fault } from "../../../kernel/errors.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { TSchema } from "../../../platform/http/type.ts";
import type { Hooks } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";

export type Value = string | number | boolean | null | readonly Value[] | { readonly [member: string]: Value };

/** A piece of configuration as a manifest has it: every member is present, nothing of it depends on the account. */
export type Spec = { readonly [member: string]: Value };

/** Some accounts of a partner. */
export type Accounts = { partner_id: string; ids: readonly string[] };

/** The ids of the parts of a record that have their own, by the keys of the list's items: the stages of a pipeline. */
export type Parts = Readonly<Record<string, string>>;

/** A record of an account. The items of a list with parts have no key; their ids are in `parts`, in the order of the list. */
export type Live = { id: string; archived: boolean; spec: Spec; parts: readonly string[] };

/**
 * How a member is merged. `value`: as a whole. `set`: element by element. `fixed`: it never changes. A list: item by item, by their keys;
 * `key` gives an item's, and `parts` says that items have ids in the account instead of it.
 */
export type Merging =
  | "value"
  | "set"
  | "fixed"
  | { key(item: Value): string; ordered: boolean; parts: boolean; members: Readonly<Record<string, "value" | "set" | "fixed">> };

/** A reference of a spec to another asset of the manifest. The pointer is relative to the spec: `/stages/0/required_fields/1`. */
export type Reference = { pointer: string; type: string; key: string };

/** What a plan does to a record. In `to`, items that came with a snapshot have their `key`; others, made in the account, have none. */
export type Change =
  | { do: "create"; key: string; to: Spec }
  | { do: "update" | "revive"; key: string; id: string; parts: readonly (string | null)[]; to: Spec }
  /** `unmade`: it was made by the deployment that is rolled back, and is deleted if nothing has used it. */
  | { do: "remove"; key: string; id: string; unmade: boolean };

/** The record that a change made or changed, with the ids of its parts in the order of `to`. */
export type Applied = { key: string; id: string; parts: readonly string[] };

/** Of a record, or of some of its parts, that a plan would remove. */
export type Removal = { id: string; parts: readonly string[] };

/** What cannot be removed: the whole record where `part` is null. `count` says how many use it; 0 where its rules forbid it, as of a default. */
export type Block = { account_id: string; id: string; part: string | null; count: number };

/** What a feature contributes to snapshots: one type of configuration. Every call takes any number of accounts. */
export type Asset = {
  type: string;
  /** The types that it refers to: they are applied before it, and removed after it. */
  after: readonly string[];
  /** Of a spec as it is sent: members with a default may be missing. */
  spec: TSchema;
  /** Fills in defaults, some of which the key says, and sorts sets. The input is valid by the schema. */
  complete(spec: Spec, key: string): Spec;
  merge: Readonly<Record<string, Merging>>;
  /** What is unique among the live records of an account, in the form in which it is compared. */
  natural(spec: Spec): string;
  /** The key that an asset with this spec has in every manifest, and null where it is free. */
  keyOf(spec: Spec): string | null;
  references(spec: Spec): Reference[];
  /** What the schema cannot say; pointers are relative to the spec: `/stages`. `previous` is the same asset in the version before. */
  validate(spec: Spec, previous: Spec | null): Fault[];
  /** What cannot leave the account is left out: the rest, and a sentence for each thing left out. Null leaves out the record. */
  portable(spec: Spec): { spec: Spec | null; left_out: string[] };
  /** What an account has before anybody has changed it. */
  builtin: readonly Spec[];
  /** The member that at most one live record of an account has as true, such as `is_default`. */
  exclusive: string | null;
  limit: { max: number; group(spec: Spec): string; archived: boolean };
  /** Whether an archived record keeps its name from others. */
  archived_holds_name: boolean;
  /** Of each account: a digest of its records in the order of ids, without the ids; and these ids, parts after their record. */
  look(db: Queryable, of: Accounts): Promise<Map<string, { digest: string; ids: readonly string[] }>>;
  /** The records in the order of ids, archived ones included. Equal digests have equal records but for ids. */
  read(db: Queryable, of: Accounts): Promise<Map<string, Live[]>>;
  blocked(tx: Tx, hooks: Hooks, of: Accounts, removals: ReadonlyMap<string, readonly Removal[]>): Promise<Block[]>;
  /** Applies changes to accounts that are locked, with as few statements as the accounts share. Of removals it returns nothing. */
  apply(
    tx: Tx,
    of: Accounts,
    changes: ReadonlyMap<string, readonly Change[]>,
    hooks: Hooks,
  ): Promise<Map<string, Applied[]>>;
};
