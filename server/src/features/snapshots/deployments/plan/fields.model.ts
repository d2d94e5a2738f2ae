import { type Asset, equal, type ListMerging, type Spec, type Value } from "../../../accounts/configuring/index.ts";
import { type Item, type Keyed, listsOf, valueIn } from "../merge/keyed.model.ts";
import type { Field } from "./shape.model.ts";

/** An asset in its three versions and what comes of them. */
export type Four<T> = { base: T; client: T; snapshot: T; result: T };

const SIDES = ["base", "client", "snapshot", "result"] as const;

function each<A, B>(four: Four<A>, make: (one: A) => B): Four<B> {
  return Object.fromEntries(SIDES.map((side) => [side, make(four[side])])) as Four<B>;
}

/** The fields that change, and those at the paths of conflicts. */
export function fieldsOf(asset: Asset, four: Four<Keyed | null>, conflicts: ReadonlySet<string>): Field[] {
  const values = Object.entries(asset.merge)
    .filter(([, how]) => typeof how !== "object")
    .map(([member]) =>
      fieldAt(
        member,
        each(four, (spec) => spec?.values[member]),
      ),
    );
  const lists = listsOf(asset).flatMap(([member, how]) =>
    listFields(
      member,
      how,
      each(four, (spec) => spec?.lists[member] ?? []),
    ),
  );
  return [...values, ...lists].filter(({ path, client, result }) => conflicts.has(path) || !equal(client, result));
}

function fieldAt(path: string, four: Four<Value | undefined>): Field {
  return { path, ...each(four, (value) => value ?? null) };
}

function listFields(path: string, how: ListMerging, four: Four<readonly Item[]>): Field[] {
  const keys = [...new Set(SIDES.flatMap((side) => four[side].map(({ key }) => key)))];
  const items = keys.flatMap((key) => {
    const item = each(four, (list) => valueIn(list, key));
    const whole = fieldAt(`${path}/${key}`, item);
    if (item.client === undefined || item.result === undefined) return [whole];
    const unlessSame = equal(item.client, item.result) ? [whole] : [];
    const members = Object.keys(how.members).map((member) =>
      fieldAt(
        `${path}/${key}/${member}`,
        each(item, (value) => (value as Spec | undefined)?.[member]),
      ),
    );
    return [...unlessSame, ...members];
  });
  return how.ordered ? [...items, orderField(path, four)] : items;
}

/** Of the order, only what does not follow from the items that come and go. */
function orderField(path: string, four: Four<readonly Item[]>): Field {
  const both = ({ key }: Item) => valueIn(four.client, key) !== undefined && valueIn(four.result, key) !== undefined;
  return fieldAt(
    `${path}/~order`,
    each(four, (list) => list.filter(both).map(({ key }) => key)),
  );
}
