/** A committed entry without a position in its feed yet: an event, or a change of a record. */
export type PendingEntry = {
  id: string;
  subject: string;
  subject_version: number;
  transaction_id: string;
  ordinal: number;
};

/**
 * An order in which each subject's events follow its versions and each transaction's events are adjacent, in their order.
 * Changes of one subject commit one after the other, so the transactions that touched it are ordered by its version,
 * and the order in which everything committed satisfies all these at once: there is no cycle. Between transactions
 * that share no subject, the older id comes first.
 */
export function orderForFeed(events: readonly PendingEntry[]): PendingEntry[] {
  const transactions = groupByTransaction(events);
  const { waitsFor, releases } = precedence(events, transactions);
  const ordered: PendingEntry[] = [];
  const ready = [...transactions.keys()].filter((id) => waitsFor.get(id) === 0).sort();
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    ordered.push(...(transactions.get(id) ?? []));
    for (const next of releases.get(id) ?? []) {
      const left = (waitsFor.get(next) ?? 0) - 1;
      waitsFor.set(next, left);
      if (left === 0) insertSorted(ready, next);
    }
  }
  if (ordered.length !== events.length) throw new Error("events form a cycle: two commits of one subject share a version");
  return ordered;
}

function insertSorted(sorted: string[], value: string): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < value) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, value);
}

function groupByTransaction(events: readonly PendingEntry[]): Map<string, PendingEntry[]> {
  const groups = Map.groupBy(events, ({ transaction_id }) => transaction_id);
  for (const group of groups.values()) group.sort((a, b) => a.ordinal - b.ordinal);
  return groups;
}

/** For each transaction, how many it waits for and which it releases. */
function precedence(events: readonly PendingEntry[], transactions: Map<string, PendingEntry[]>) {
  const waitsFor = new Map([...transactions.keys()].map((id) => [id, 0]));
  const releases = new Map<string, Set<string>>();
  for (const group of Map.groupBy(events, ({ subject }) => subject).values()) {
    group.sort((a, b) => a.subject_version - b.subject_version || a.ordinal - b.ordinal);
    for (let index = 1; index < group.length; index += 1) {
      const before = group[index - 1]?.transaction_id ?? "";
      const after = group[index]?.transaction_id ?? "";
      const released = releases.get(before) ?? new Set();
      if (before === after || released.has(after)) continue;
      releases.set(before, released.add(after));
      waitsFor.set(after, (waitsFor.get(after) ?? 0) + 1);
    }
  }
  return { waitsFor, releases };
}
