/** A prepared statement, and its values as the driver writes them. */
export type Bound = { statement: string; values: readonly (string | Buffer | null)[] };

const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const BIND = 0x42;
const KEPT_MAX = 1 << 20;

let bytes = Buffer.allocUnsafe(1 << 14);
let end = 0;

/**
 * Bind and Execute for each statement, and Sync, as one piece of bytes. The driver makes two pieces of each statement, which the stream
 * then keeps and counts one by one.
 */
export function messagesOf(bounds: readonly Bound[]): Buffer {
  end = 0;
  for (const bound of bounds) addBind(bound);
  reserve(SYNC.length);
  end += SYNC.copy(bytes, end);
  const messages = Buffer.from(bytes.subarray(0, end));
  if (bytes.length > KEPT_MAX) bytes = Buffer.allocUnsafe(1 << 14);
  return messages;
}

function addBind({ statement, values }: Bound): void {
  const start = end;
  // The longest that all but the values can be.
  reserve(3 * statement.length + 2 * values.length + 32);
  bytes[end] = BIND;
  // Its length, and the name of the portal, which has none.
  end += 5;
  bytes[end++] = 0;
  end += bytes.write(statement, end);
  bytes[end++] = 0;
  addInt16(values.length);
  let format = end;
  end += 2 * values.length;
  addInt16(values.length);
  for (const value of values) {
    bytes[format++] = 0;
    // Bytes are binary, everything else is text.
    bytes[format++] = typeof value === "string" || value === null ? 0 : 1;
    addValue(value);
  }
  reserve(4 + EXECUTE.length);
  // All columns of the answer as text.
  addInt16(1);
  addInt16(0);
  bytes.writeInt32BE(end - start - 1, start + 1);
  end += EXECUTE.copy(bytes, end);
}

function addValue(value: string | Buffer | null): void {
  if (value === null) {
    reserve(4);
    end = bytes.writeInt32BE(-1, end);
    return;
  }
  reserve(4 + roomFor(value));
  const written = typeof value === "string" ? bytes.write(value, end + 4) : value.copy(bytes, end + 4);
  end = bytes.writeInt32BE(written, end) + written;
}

/** At least the bytes of a value. Those of a short text are not counted: that takes as long as writing them. */
function roomFor(value: string | Buffer): number {
  if (typeof value !== "string") return value.length;
  return value.length > 1_000 ? Buffer.byteLength(value) : 3 * value.length;
}

function addInt16(number: number): void {
  bytes[end++] = number >>> 8;
  bytes[end++] = number;
}

function reserve(more: number): void {
  if (bytes.length - end >= more) return;
  const larger = Buffer.allocUnsafe(2 * bytes.length + more);
  bytes.copy(larger, 0, 0, end);
  bytes = larger;
}
