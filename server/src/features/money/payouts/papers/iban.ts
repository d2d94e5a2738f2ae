import { isSEPACountry, isValidBIC, ValidationErrorsIBAN, validateIBAN } from "ibantools";

/** Countries that joined SEPA in 2025 and 2026, which the package does not list yet. */
const JOINED = new Set(["AL", "MD", "ME", "MK", "RS"]);

export type IbanCheck =
  | { ok: true; iban: string; country: string; sepa: boolean }
  | { ok: false; fault: "unknown_country" | "wrong_length" | "wrong_format" | "wrong_checksum" };

/** As banks store it: capital letters and digits, without spaces and dashes. */
export function normaliseIban(text: string): string {
  return text.replaceAll(/[\s-]/g, "").toUpperCase();
}

/** Checks country, length, format and check digits, and those of the account number where a country has them. */
export function checkIban(text: string): IbanCheck {
  const iban = normaliseIban(text);
  const { errorCodes } = validateIBAN(iban);
  if (errorCodes.length > 0) return { ok: false, fault: faultOf(errorCodes) };
  const country = iban.slice(0, 2);
  return { ok: true, iban, country, sepa: isSEPACountry(country) || JOINED.has(country) };
}

function faultOf(codes: ValidationErrorsIBAN[]): Extract<IbanCheck, { ok: false }>["fault"] {
  const has = (...some: ValidationErrorsIBAN[]) => some.some((code) => codes.includes(code));
  if (has(ValidationErrorsIBAN.NoIBANProvided, ValidationErrorsIBAN.NoIBANCountry)) return "unknown_country";
  if (has(ValidationErrorsIBAN.WrongBBANLength)) return "wrong_length";
  return has(ValidationErrorsIBAN.WrongBBANFormat, ValidationErrorsIBAN.ChecksumNotNumber) ? "wrong_format" : "wrong_checksum";
}

/** As banks store it: capital letters and digits. */
export function normaliseBic(text: string): string {
  return text.replaceAll(/\s/g, "").toUpperCase();
}

/** Whether a text has the form of a BIC of 8 or 11 characters. */
export function checkBic(text: string): boolean {
  return isValidBIC(normaliseBic(text));
}
