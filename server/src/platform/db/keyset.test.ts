import { expect, test } from "vitest";
import { isAddressOrNumber } from "./keyset.ts";

test.each(["marie.curie@example.com", "mail of marie@example.co.uk", "+49 30 1234567", "(212) 555-0199 0", "+4930/1234567"])(
  "%s is in few rows",
  (text) => expect(isAddressOrNumber(text)).toBe(true),
);

test.each([
  "",
  "marie",
  "info@",
  "@example.com",
  "a@example.com",
  "marie@example",
  "1234567",
  "room 12345678",
  "+",
  "12 + 345678",
])("%s may be in many rows", (text) => expect(isAddressOrNumber(text)).toBe(false));
