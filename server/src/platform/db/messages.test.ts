import { Duplex } from "node:stream";
import fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import { type Bound, messagesOf } from "./messages.ts";

/** What the driver would have sent. */
function driverBytes(bounds: readonly Bound[]): Buffer {
  const pieces: Buffer[] = [];
  const stream = new Duplex({
    read() {},
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      done();
    },
  });
  const connection = new pg.Connection({ stream } as unknown as pg.ConnectionConfig);
  for (const { statement, values } of bounds) {
    connection.bind({ statement, values: [...values] }, true);
    connection.execute(null, true);
  }
  connection.sync();
  return Buffer.concat(pieces);
}

const text = fc.oneof(fc.string(), fc.string({ unit: "binary", maxLength: 300 }));
const value = fc.oneof(
  text,
  fc.constant(null),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const bound = fc.record({ statement: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), values: fc.array(value) });

test("statements are sent as the driver sends them, as one piece", () => {
  fc.assert(fc.property(fc.array(bound), (bounds) => messagesOf(bounds).equals(driverBytes(bounds))));
});

test("many values and long ones have room", () => {
  for (const length of [16_000, 20_000, 3_000_000, 10])
    for (const long of ["x".repeat(length), "€".repeat(length), Buffer.alloc(length, 7)]) {
      const bounds = [{ statement: "one", values: [...Array<null>(5_000).fill(null), long, "after"] }];
      expect(messagesOf(bounds).equals(driverBytes(bounds))).toBe(true);
    }
});

test("what was made before stays as it was", () => {
  const first = messagesOf([{ statement: "one", values: ["a"] }]);
  const copy = Buffer.from(first);
  messagesOf([{ statement: "two", values: ["b", "c"] }]);
  expect(first).toEqual(copy);
});
