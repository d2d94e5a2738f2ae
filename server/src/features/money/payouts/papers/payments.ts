import { readBic, readIban } from "../../../../kernel/bank-account.ts";

/** A transfer to a partner, as a bank or a bookkeeper gets it. */
export type Payment = {
  payout_id: string;
  /** 1 for the first, and one more with each retry. */
  attempt: number;
  /** The holder of the account. */
  name: string;
  /** null where the partner is paid by other means than a bank transfer. */
  iban: string | null;
  bic?: string | null;
  /** How the partner is paid where there is no IBAN. */
  details?: string | null;
  amount_cents: number;
  currency: string;
  statement_number: string;
};

/** The account that pays. */
export type Debtor = { name: string; iban: string; bic?: string | null };

export type BankExport = {
  /** `execution_date` is a day, such as 2026-05-18. */
  export: { id: string; created_at: Date | string; execution_date: string };
  debtor: Debtor;
  payments: readonly Payment[];
};

/** Identifiers of a bank file have at most 35 characters. */
const REFERENCE_MAX = 35;
/** The largest transfer of SEPA: 999,999,999.99 euro. */
const AMOUNT_MAX_CENTS = 99_999_999_999;

/** An id as banks accept it: they have no underscore. */
export function bankId(id: string): string {
  const reference = id.replaceAll("_", "-");
  if (!/^[A-Za-z0-9-]+$/.test(reference) || reference.length > REFERENCE_MAX) {
    throw new Error(`${id} cannot be an identifier of a bank file.`);
  }
  return reference;
}

/** What identifies a payment up to the partner's bank and back: the payout, and from the second attempt on the attempt. */
export function endToEndId(payout_id: string, attempt: number): string {
  return bankId(attempt > 1 ? `${payout_id}-${attempt}` : payout_id);
}

/** The payout and the attempt of an end-to-end id that a bank reports, or null for one that is not ours. */
export function payoutOfEndToEndId(reference: string): { payout_id: string; attempt: number } | null {
  const [, body, attempt] = /^pay-([0-9a-z]{26})(?:-([2-9]|[1-9]\d{1,2}))?$/.exec(reference) ?? [];
  return body === undefined ? null : { payout_id: `pay_${body}`, attempt: Number(attempt ?? 1) };
}

/** Why a payment cannot be in a SEPA file, or null. */
export function sepaFaultOf({ iban, bic, amount_cents, currency }: Payment): string | null {
  if (currency !== "eur") return "SEPA transfers are in euro.";
  if (iban === null) return "There is no IBAN.";
  const read = readIban(iban);
  if (read.iban === null) return read.detail;
  if (bic && readBic(bic) === null) return "The BIC is not valid.";
  if (!Number.isSafeInteger(amount_cents) || amount_cents < 1 || amount_cents > AMOUNT_MAX_CENTS) {
    return "A SEPA transfer is of 0.01 to 999,999,999.99 euro.";
  }
  return null;
}
