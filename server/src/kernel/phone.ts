import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * A canonical number, or a likely correction. The small metadata is enough: only a country's possible lengths are checked.
 * Numbering plans change, so checking whether a number is assigned would reject numbers newer than the table.
 */
export type PhoneReading = { phone: string } | { phone: null; suggestion: string | null };

const E164 = /^\+[1-9][0-9]{6,14}$/;

/** The numbers that were read last: a request reads its number more than once, and the same people write again. */
const known = new Map<string, PhoneReading>();
const KNOWN_MAX = 1_000;

/** Parses a phone number into its canonical form, or suggests a correction. */
export function readPhone(text: string): PhoneReading {
  const before = known.get(text);
  if (before !== undefined) return before;
  const phone = canonical(text);
  if (phone === null) return { phone, suggestion: suggest(text) };
  if (known.size >= KNOWN_MAX) known.clear();
  const reading = { phone };
  known.set(text, reading);
  return reading;
}

/** Drops whitespace and punctuation, and reads an international call prefix as a plus. */
function suggest(text: string): string | null {
  const written = text.normalize("NFKC").trim();
  const digits = written.replaceAll(/\(0\)|[^0-9]/g, "").replace(/^(?:00|011)(?=[1-9])/, "");
  if (!/^[+(0-9]/.test(written) || /[a-z]/i.test(written)) return null;
  return canonical(`+${digits}`);
}

/** The number without a national trunk prefix. Parsed until it is stable, or one person could have two numbers. */
function canonical(text: string): string | null {
  if (!E164.test(text)) return null;
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  if (parsed?.isPossible() !== true) return null;
  return parsed.number === text ? text : canonical(parsed.number);
}

/** Whether the national number format of a country, such as `US`, is known. */
export function isPhoneCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/**
 * Parses a number as people write it in a table: with a country code in any punctuation, or in the national format of the
 * default country. Without either nothing is guessed: 4155552671 is one number in California and another in Zug.
 */
export function readWrittenPhone(text: string, country: string | null): PhoneReading {
  const written = text.normalize("NFKC").trim();
  const reading = readPhone(written);
  if (reading.phone !== null) return reading;
  if (/^(\+|00)/.test(written)) return reading.suggestion === null ? reading : { phone: reading.suggestion };
  if (country === null || !isPhoneCountry(country) || /[a-z]/i.test(written)) return reading;
  const national = parsePhoneNumberFromString(written, { defaultCountry: country, extract: false });
  const phone = national?.isPossible() === true ? canonical(national.number) : null;
  return phone === null ? reading : { phone };
}
