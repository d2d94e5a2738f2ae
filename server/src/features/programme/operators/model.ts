import { readBic, readIban } from "../../../kernel/bank-account.ts";
import { type Fault, fail } from "../../../kernel/errors.ts";
import { isTimeZone, scheduleFault } from "../../../kernel/schedule.ts";
import type { ProgrammePatch } from "./schema.ts";

/** Refuses a schedule, a time zone or a bank account that is none; the account is stored without spaces. */
export function checkedPayouts(patch: ProgrammePatch): ProgrammePatch {
  const { payout_cron, payout_time_zone, payout_debtor } = patch;
  const faults: Fault[] = [];
  const refuse = (pointer: string, code: string, detail: string) =>
    faults.push({ in: "body", pointer: `#/${pointer}`, code, detail });

  const schedule = typeof payout_cron === "string" ? scheduleFault(payout_cron) : null;
  if (schedule !== null) refuse("payout_cron", schedule.code, schedule.detail);
  if (payout_time_zone !== undefined && !isTimeZone(payout_time_zone))
    refuse(
      "payout_time_zone",
      "unknown_time_zone",
      `${payout_time_zone} is no time zone of the IANA database, such as Europe/Berlin.`,
    );
  if (payout_debtor == null) return faults.length > 0 ? fail("validation_failed", { faults }) : patch;

  const reading = readIban(payout_debtor.iban);
  if (reading.iban === null) refuse("payout_debtor/iban", reading.code, reading.detail);
  const bic = payout_debtor.bic === undefined ? undefined : readBic(payout_debtor.bic);
  if (bic === null) refuse("payout_debtor/bic", "invalid_bic", "A BIC has 8 or 11 characters, such as COBADEFFXXX.");
  if (reading.iban === null || bic === null || faults.length > 0) fail("validation_failed", { faults });
  return { ...patch, payout_debtor: { name: payout_debtor.name, iban: reading.iban, ...(bic === undefined ? {} : { bic }) } };
}
