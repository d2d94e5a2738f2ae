import { hash } from "node:crypto";
import type { Value } from "./model.ts";

/** The canonical form of JSON by RFC 8785: equal values have equal texts. */
export function canonicalText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  // Strings compare by UTF-16 code units, as the RFC wants it.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(",")}}`;
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** Whether two values are the same JSON, whatever the order of members. Nothing equals only nothing. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  const [left, right] = [Object.entries(a), b as { readonly [member: string]: Value }];
  return left.length === Object.keys(right).length && left.every(([name, member]) => equal(member, right[name]));
}
