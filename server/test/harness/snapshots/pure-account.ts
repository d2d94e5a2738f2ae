import type {
  Applied,
  Asset,
  Block,
  Change,
  Live,
  Removal,
  Spec,
  Value,
} from "../../../src/features/accounts/configuring/index.ts";
import type { State } from "../../../src/features/snapshots/deployments/plan/model.ts";
import { SYNTHETIC } from "./synthetic-assets.ts";

const PARTS = "stages";
type Stage = { readonly [member: string]: Value };
const stagesOf = (spec: Spec) => (spec[PARTS] ?? []) as readonly Stage[];
const withoutKeys = (spec: Spec): Spec =>
  PARTS in spec ? { ...spec, [PARTS]: stagesOf(spec).map(({ key: _, ...stage }) => stage) } : spec;

/** An account as the features would keep it, without a database. It refuses whatever leaves it invalid. */
export class PureAccount {
  readonly prefix: string;
  #records: Record<string, Live[]> = {};
  #made = 0;
  /** Ids of what is in use and cannot be removed. */
  readonly used = new Set<string>();

  constructor(prefix: string, assets: readonly Asset[] = SYNTHETIC) {
    this.prefix = prefix;
    for (const { type, builtin } of assets) {
      this.#records[type] = [];
      for (const spec of builtin) this.make(type, null, spec);
    }
  }

  copy(): PureAccount {
    const copy = new PureAccount(this.prefix);
    copy.#records = structuredClone(this.#records);
    copy.#made = this.#made;
    for (const id of this.used) copy.used.add(id);
    return copy;
  }

  restore(other: PureAccount): void {
    this.#records = other.#records;
    this.#made = other.#made;
  }

  get state(): State {
    return structuredClone(this.#records);
  }

  recordsOf(type: string): Live[] {
    return this.#records[type] ?? [];
  }

  live(): Record<string, Live[]> {
    const live = Object.entries(this.#records).map(([type, records]) => [type, records.filter(({ archived }) => !archived)]);
    return Object.fromEntries(live);
  }

  newId(): string {
    this.#made += 1;
    return `${this.prefix}_${String(this.#made).padStart(4, "0")}`;
  }

  make(type: string, key: string | null, spec: Spec, id = this.newId()): Live {
    const record = { id, archived: false, key, spec: withoutKeys(spec), parts: stagesOf(spec).map(() => this.newId()) };
    this.recordsOf(type).push(record);
    return record;
  }

  blocked(removals: Readonly<Record<string, readonly Removal[]>>): Block[] {
    const block = (id: string, part: string | null): Block[] =>
      this.used.has(part ?? id) ? [{ account_id: "", id, part, count: 3 }] : [];
    return Object.values(removals).flatMap((list) =>
      list.flatMap(({ id, parts }) => (parts.length === 0 ? block(id, null) : parts.flatMap((part) => block(id, part)))),
    );
  }

  apply(changes: Readonly<Record<string, readonly Change[]>>): Record<string, Applied[]> {
    const applied = Object.entries(changes).map(([type, list]) => [type, list.flatMap((change) => this.#apply(type, change))]);
    this.check();
    return Object.fromEntries(applied);
  }

  #apply(type: string, change: Change): Applied[] {
    const { key } = change;
    if (change.do === "create") {
      const { id, parts } = this.make(type, type === "field" ? key : null, change.to, change.id);
      return [{ key, id, parts }];
    }
    const record = this.recordsOf(type).find(({ id }) => id === change.id);
    if (record === undefined) throw new Error(`${change.do} of ${change.id}, which is not there`);
    if (record.archived !== (change.do === "revive"))
      throw new Error(`${change.do} of ${change.id}, archived: ${record.archived}`);
    if (change.do === "remove") {
      if (this.used.has(record.id)) throw new Error(`${record.id} is in use`);
      const deletes = type === "scoring" || (change.unmade && type === "board");
      if (deletes) this.#records[type] = this.recordsOf(type).filter((one) => one !== record);
      else
        Object.assign(record, {
          archived: true,
          spec: "is_default" in record.spec ? { ...record.spec, is_default: false } : record.spec,
        });
      return [];
    }
    const parts = change.parts.map((id) => id ?? this.newId());
    const lost = record.parts.find((id) => !parts.includes(id) && this.used.has(id));
    if (lost !== undefined) throw new Error(`${lost} is in use`);
    Object.assign(record, { archived: false, spec: withoutKeys(change.to), parts });
    return [{ key, id: record.id, parts }];
  }

  /** The rules that every account obeys. */
  check(): void {
    for (const asset of SYNTHETIC) this.#checkType(asset);
  }

  #checkType(asset: Asset): void {
    const all = this.recordsOf(asset.type);
    const live = all.filter(({ archived }) => !archived);
    const unique = (what: string, list: readonly string[]) => {
      if (new Set(list).size !== list.length) throw new Error(`${asset.type}: ${what} twice in ${list.join(", ")}`);
    };
    const natural = ({ spec, key }: Live) => asset.natural(spec, key);
    unique("a name", (asset.archived_holds_name ? all : live).map(natural));
    unique(
      "an id",
      all.flatMap(({ id, parts }) => [id, ...parts]),
    );
    const groups = Map.groupBy(asset.limit.archived ? all : live, ({ spec, key }) => asset.limit.group(spec, key));
    for (const [group, { length }] of groups)
      if (length > asset.limit.max) throw new Error(`${asset.type}: too many in ${group}`);
    if (asset.type !== "board") return;
    const defaults = live.filter(({ spec }) => spec.is_default === true).length;
    if (defaults !== 1) throw new Error(`${defaults} defaults`);
    for (const { spec, parts } of live) {
      const faults = asset.validate(spec, null);
      if (faults.length > 0 || parts.length !== stagesOf(spec).length)
        throw new Error(`invalid board: ${JSON.stringify({ spec, faults })}`);
    }
  }
}
