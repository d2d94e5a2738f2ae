import pg from "pg";
import type { Query } from "./statement.ts";

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils;

const QUOTED = /["\\]/;

/** A value as the driver writes it. Most are simple, or arrays of ids and numbers, which need no escapes: that takes a third of its time. */
export function valueText(value: unknown): string | Buffer | null {
  if (typeof value === "string") return value;
  if (value instanceof Date) return dateText(value);
  if (!Array.isArray(value)) return prepareValue(value);
  let text = "{";
  for (let index = 0; index < value.length; index += 1) {
    const item: unknown = value[index];
    if (index > 0) text += ",";
    if (typeof item === "number" || typeof item === "boolean") text += item;
    else if (item === null || item === undefined) text += "NULL";
    else if (typeof item === "string" && !QUOTED.test(item)) text += `"${item}"`;
    else return prepareValue(value);
  }
  return `${text}}`;
}

/** The driver's own way for years that ISO 8601 writes with a sign. */
function dateText(date: Date): string | Buffer | null {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : prepareValue(date);
}

const SIZE = 64 * 1024;
const KEPT_MAX = 1024 * 1024;

let buffer = Buffer.allocUnsafeSlow(SIZE);
let end = 0;

/** Makes room for some bytes. */
function reserve(bytes: number): void {
  if (end + bytes <= buffer.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, end + bytes));
  buffer.copy(larger, 0, 0, end);
  buffer = larger;
}

function writeInt32(value: number, at: number): void {
  buffer[at] = value >>> 24;
  buffer[at + 1] = value >>> 16;
  buffer[at + 2] = value >>> 8;
  buffer[at + 3] = value;
}

function addInt16(value: number): void {
  buffer[end] = value >>> 8;
  buffer[end + 1] = value;
  end += 2;
}

/** In UTF-8, a character of a string takes three bytes at most. */
const BYTES_MAX = 3;

function addValue(value: string | Buffer | null): void {
  reserve(4 + BYTES_MAX * (value?.length ?? 0));
  const size = value === null ? -1 : typeof value === "string" ? buffer.write(value, end + 4) : value.copy(buffer, end + 4);
  writeInt32(size, end);
  end += 4 + Math.max(size, 0);
}

const EXECUTE = Buffer.from("E\0\0\0\u0009\0\0\0\0\0", "latin1");
const SYNC = Buffer.from("S\0\0\0\u0004", "latin1");
const BIND = "B".charCodeAt(0);
const BINARY = 1;

/** Bind and Execute of a prepared statement: its parameters as text, or binary where they are bytes, and its rows as text. */
function addStatement({ statement: { name }, values }: Query): void {
  const count = values.length;
  reserve(16 + BYTES_MAX * name.length + 2 * count);
  const start = end;
  buffer[start] = BIND;
  end += 5;
  // The portal has no name.
  buffer[end] = 0;
  end += 1;
  end += buffer.write(name, end);
  buffer[end] = 0;
  end += 1;
  addInt16(count);
  let format = end;
  end += 2 * count;
  addInt16(count);
  for (let index = 0; index < count; index += 1) {
    const value = valueText(values[index]);
    addValue(value);
    buffer[format] = 0;
    buffer[format + 1] = value instanceof Buffer ? BINARY : 0;
    format += 2;
  }
  reserve(4 + EXECUTE.length);
  addInt16(1);
  addInt16(0);
  writeInt32(end - start - 1, start + 1);
  end += EXECUTE.copy(buffer, end);
}

/**
 * The messages that run prepared statements, with one Sync, as one buffer. The driver writes two for each statement, which costs as much again as their
 * contents.
 */
export function flightMessages(queries: readonly Query[]): Buffer {
  end = 0;
  for (const query of queries) addStatement(query);
  reserve(SYNC.length);
  end += SYNC.copy(buffer, end);
  const messages = Buffer.from(buffer.subarray(0, end));
  if (buffer.length > KEPT_MAX) buffer = Buffer.allocUnsafeSlow(SIZE);
  return messages;
}
