import { electronicFormatIBAN, isSEPACountry, isValidBIC, ValidationErrorsIBAN as Rule, validateIBAN } from "ibantools";

/** An IBAN without spaces in upper case, or the rule that it breaks. */
export type IbanReading = { iban: string } | { iban: null; code: string; detail: string };

/** The rules of an IBAN, in the order in which a person would correct them. */
const RULES: [rule: Rule, code: string, detail: string][] = [
  [Rule.NoIBANProvided, "unknown_country", "An IBAN starts with the two letters of a country."],
  [Rule.NoIBANCountry, "unknown_country", "An IBAN starts with the two letters of a country that has IBANs."],
  [Rule.WrongBBANLength, "wrong_length", "The IBAN is too short or too long for its country."],
  [Rule.WrongBBANFormat, "wrong_format", "The IBAN has a letter or a digit where its country has none."],
  [Rule.ChecksumNotNumber, "wrong_format", "The third and the fourth character of an IBAN are digits."],
  [Rule.WrongIBANChecksum, "wrong_checksum", "The check digits do not match: a character is wrong, or two are swapped."],
  [Rule.WrongAccountBankBranchChecksum, "wrong_checksum", "The check digits of the account number do not match."],
  [Rule.QRIBANNotAllowed, "qr_iban", "A QR-IBAN is for invoices. Give the IBAN of the account."],
];

/** Countries that joined SEPA in 2025 and 2026, which the package does not list yet. */
const JOINED = new Set(["AL", "MD", "ME", "MK", "RS"]);

/** Reads an IBAN as people write it, with spaces and in any case. Only accounts within SEPA are accepted. */
export function readIban(text: string): IbanReading {
  const iban = electronicFormatIBAN(text.replaceAll(/\s/g, "")) ?? "";
  const { errorCodes } = validateIBAN(iban, { allowQRIBAN: false });
  const broken = RULES.find(([rule]) => errorCodes.includes(rule));
  if (broken !== undefined) return { iban: null, code: broken[1], detail: broken[2] };
  const country = iban.slice(0, 2);
  if (!isSEPACountry(country) && !JOINED.has(country))
    return { iban: null, code: "not_sepa", detail: "The account is outside SEPA, where euro transfers by IBAN do not reach it." };
  return { iban };
}

/** A BIC without spaces in upper case, null for what is none. */
export function readBic(text: string): string | null {
  const bic = text.replaceAll(/\s/g, "").toUpperCase();
  return isValidBIC(bic) ? bic : null;
}

/** As much of an IBAN as its owner recognises: DE89 … 3000. */
export function ibanHint(iban: string): string {
  return `${iban.slice(0, 4)} … ${iban.slice(-4)}`;
}
