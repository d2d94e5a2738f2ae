import fc from "fast-check";
import { expect, test } from "vitest";
import { orderForFeed, type PendingEntry } from "./feed-order.ts";

/**
 * A history: transactions one after the other, each of which changed some subjects and said one or two things about
 * each. Their ids are in no order, because a transaction may begin before another and commit after it.
 */
const history = fc
  .array(
    fc.record({
      id: fc.integer({ min: 0, max: 1_000_000 }),
      subjects: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
      eventsEach: fc.integer({ min: 1, max: 2 }),
    }),
    { maxLength: 30 },
  )
  .map((transactions) => transactions.filter(({ id }, index) => transactions.findIndex((other) => other.id === id) === index))
  .map((transactions) => {
    const versions = new Map<number, number>();
    return transactions.flatMap(({ id, subjects, eventsEach }): PendingEntry[] => {
      for (const subject of subjects) versions.set(subject, (versions.get(subject) ?? 0) + 1);
      const said = subjects.flatMap((subject) => Array<number>(eventsEach).fill(subject));
      return said.map((subject, ordinal) => ({
        id: `evt_${id}_${ordinal}`,
        subject: `cli_${subject}`,
        subject_version: versions.get(subject) ?? 0,
        transaction_id: `evt_${String(id).padStart(7, "0")}`,
        ordinal,
      }));
    });
  });

const shuffled = history.chain((events) =>
  fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
);

test("whatever order they are found in, every event is placed, once", () => {
  fc.assert(
    fc.property(shuffled, ([events, found]) => {
      expect(new Set(orderForFeed(found))).toEqual(new Set(events));
      expect(orderForFeed(found)).toHaveLength(events.length);
    }),
  );
});

test("the events of a subject follow its versions", () => {
  fc.assert(
    fc.property(shuffled, ([, found]) => {
      for (const group of Map.groupBy(orderForFeed(found), ({ subject }) => subject).values()) {
        const versions = group.map(({ subject_version }) => subject_version);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      }
    }),
  );
});

test("the events of a transaction stand together, in the order it said them", () => {
  fc.assert(
    fc.property(shuffled, ([, found]) => {
      const order = orderForFeed(found);
      for (const [transaction_id, group] of Map.groupBy(order, (event) => event.transaction_id)) {
        const start = order.findIndex((event) => event.transaction_id === transaction_id);
        expect(order.slice(start, start + group.length)).toEqual(group);
        expect(group.map(({ ordinal }) => ordinal)).toEqual([...group.keys()]);
      }
    }),
  );
});

test("the order depends on the events alone, not on the order they are found in", () => {
  fc.assert(
    fc.property(shuffled, ([events, found]) => {
      expect(orderForFeed(found)).toEqual(orderForFeed(events));
    }),
  );
});

test("transactions that share no subject go by their ids", () => {
  const ids = fc.uniqueArray(fc.nat(999), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(ids, (ids) => {
      const events = ids.map((id) => {
        const transaction_id = `evt_${String(id).padStart(3, "0")}`;
        return { id: transaction_id, subject: `cli_${id}`, subject_version: 1, transaction_id, ordinal: 0 };
      });
      const order = orderForFeed(events).map(({ transaction_id }) => transaction_id);
      expect(order).toEqual(order.toSorted());
    }),
  );
});

test("two commits that claim one version of each other's subjects are told, not dropped", () => {
  const event = (transaction_id: string, ordinal: number, subject: string, subject_version: number) => ({
    id: `${transaction_id}_${ordinal}`,
    subject,
    subject_version,
    transaction_id,
    ordinal,
  });
  const circle = [event("a", 0, "x", 1), event("a", 1, "y", 2), event("b", 0, "x", 2), event("b", 1, "y", 1)];
  expect(() => orderForFeed(circle)).toThrow("form a cycle");
});
