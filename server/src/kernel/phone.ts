import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * The small metadata: a country's possible lengths are in it, and only they are asked. Whether a number is in use changes with
 * the numbering plans, so a table of those would refuse people whose number is newer than the table.
 */
export type PhoneReading = { phone: string } | { phone: null; suggestion: string | null };

const E164 = /^\+[1-9][0-9]{6,14}$/;

/** A phone number in its one canonical form, or what may have been meant. */
export function readPhone(text: string): PhoneReading {
  const phone = canonical(text);
  return phone === null ? { phone, suggestion: suggest(text) } : { phone };
}

/** Blanks and signs are left out, and a prefix for calls abroad is read as the plus that it stands for. */
function suggest(text: string): string | null {
  const written = text.normalize("NFKC").trim();
  const digits = written.replaceAll(/\(0\)|[^0-9]/g, "").replace(/^(?:00|011)(?=[1-9])/, "");
  if (!/^[+(0-9]/.test(written) || /[a-z]/i.test(written)) return null;
  return canonical(`+${digits}`);
}

/** The number without the zeros that some write before it. Read again until it stays the same, or one person would have two. */
function canonical(text: string): string | null {
  if (!E164.test(text)) return null;
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  if (parsed?.isPossible() !== true) return null;
  return parsed.number === text ? text : canonical(parsed.number);
}

/** Whether the ways that numbers are written in a country are known, such as `US`. */
export function isPhoneCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/**
 * A number as people write it in a table: with its country's code in any punctuation, or, where a country is given, in the way
 * of that country. Without a plus or 00 and without a country nothing is guessed: 4155552671 is one number in California and another in Zug.
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
