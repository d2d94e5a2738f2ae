import type { Spec } from "./model.ts";

/** A record that a plan creates in an account. */
export type NewRecord = { id: string; account_id: string; key: string; to: Spec };

/**
 * New records as values of an insert: the distinct specs as JSON, each with its `ordinal`, then of each record its id, its account and the
 * ordinal of its spec. Accounts that share a plan share its specs, so each is sent and read once, however many accounts there are.
 */
export function newRecords(
  records: readonly NewRecord[],
  rowOf: (record: NewRecord) => object = ({ to }) => to,
): [specs: string, ids: string[], account_ids: string[], ordinals: number[]] {
  const known = new Map<Spec, number>();
  const specs: object[] = [];
  const ordinals = records.map((record) => {
    const ordinal = known.get(record.to) ?? specs.length;
    if (ordinal === specs.length) specs.push({ ...rowOf(record), ordinal });
    known.set(record.to, ordinal);
    return ordinal;
  });
  return [JSON.stringify(specs), records.map(({ id }) => id), records.map(({ account_id }) => account_id), ordinals];
}
