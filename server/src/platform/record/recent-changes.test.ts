import fc from "fast-check";
import { expect, test } from "vitest";
import { createRecentChanges, type FollowedChange } from "./recent-changes.ts";

const changeAt = (seq: number): FollowedChange => ({
  seq,
  resource: "contact",
  id: `con_${seq}`,
  account_id: "cli_1",
  change: "created",
  version: 1,
});

/** Stretches of a feed with gaps between positions, and how far a reader reads after each of them. */
const feed = fc.record({
  start: fc.nat(100),
  kept_max: fc.integer({ min: 1, max: 12 }),
  stretches: fc.array(fc.record({ gaps: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }), rest: fc.nat(2) }), {
    maxLength: 20,
  }),
  reads: fc.array(fc.nat(4), { minLength: 20, maxLength: 20 }),
  limit: fc.integer({ min: 1, max: 4 }),
});

test("a reader gets every change after its position once and in order, or is told that some are no longer kept", () => {
  fc.assert(
    fc.property(feed, ({ start, kept_max, stretches, reads, limit }) => {
      const recent = createRecentChanges(start, kept_max);
      const all: number[] = [];
      let [end, position] = [start, start];
      const read = (times: number) => {
        for (let turn = 0; turn < times; turn += 1) {
          const found = recent.since(position, limit);
          const due = all.filter((seq) => seq > position);
          if (found === null) {
            expect(due.length).toBeGreaterThan(kept_max);
            // As a reader of the feed itself catches up.
            position = recent.position();
            return;
          }
          expect(found.changes.map(({ seq }) => seq)).toEqual(due.slice(0, limit));
          expect(found.position).toBe(due.length < limit ? Math.max(end, position) : due[limit - 1]);
          position = found.position;
        }
      };
      for (const [index, { gaps, rest }] of stretches.entries()) {
        const seqs = gaps.map((gap) => (end += gap));
        end += rest;
        all.push(...seqs);
        recent.add({ changes: seqs.map(changeAt), position: end });
        read(reads[index] ?? 0);
      }
    }),
  );
});

test("a reader that knows of more than was read waits for what comes after that", () => {
  const recent = createRecentChanges(5);
  expect(recent.since(7, 10)).toEqual({ changes: [], position: 7 });
  recent.add({ changes: [6, 7, 8].map(changeAt), position: 8 });
  expect(recent.since(7, 10)).toEqual({ changes: [changeAt(8)], position: 8 });
});
