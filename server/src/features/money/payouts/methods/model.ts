import { ibanHint, readBic, readIban } from "../../../../kernel/bank-account.ts";
import { type Fault, fail } from "../../../../kernel/errors.ts";

export const METHOD_KINDS = ["sepa", "manual"] as const;
export type MethodKind = (typeof METHOD_KINDS)[number];

/** A method as it is sent, with the members of any kind. */
export type MethodInput = {
  kind: MethodKind;
  holder: string;
  iban?: string;
  bic?: string | null;
  instructions?: string;
  currencies?: readonly string[];
};

/** What is sealed: the account, or how else the partner is paid. */
export type MethodDetails = { iban: string; bic: string | null } | { instructions: string };

/** A method as it is stored, before its details are sealed. */
export type NewMethod = {
  kind: MethodKind;
  holder: string;
  currencies: readonly string[];
  details: MethodDetails;
  /** As much of the details as their owner recognises. */
  hint: string;
};

/** The members of each kind: the others are refused. */
const MEMBERS: Record<MethodKind, { required: readonly Member[]; optional: readonly Member[] }> = {
  sepa: { required: ["iban"], optional: ["bic"] },
  manual: { required: ["instructions", "currencies"], optional: [] },
};
const ALL_MEMBERS = ["iban", "bic", "instructions", "currencies"] as const;
type Member = (typeof ALL_MEMBERS)[number];

/** Reads a payout method, or refuses each member that does not fit, by its rule. */
export function readMethod(input: MethodInput): NewMethod {
  const { kind, holder, iban = "", bic, instructions = "", currencies = [] } = input;
  const faults = memberFaults(input);
  if (faults.length > 0) fail("validation_failed", { faults });
  if (kind === "manual") return { kind, holder, currencies, details: { instructions }, hint: "Manual transfer" };

  const refuse = (pointer: string, code: string, detail: string) => faults.push({ in: "body", pointer, code, detail });
  const account = readIban(iban);
  if (account.iban === null) refuse("#/iban", account.code, account.detail);
  const bank = bic == null ? undefined : readBic(bic);
  if (bank === null) refuse("#/bic", "invalid_bic", "A BIC has 8 or 11 characters, such as COBADEFFXXX.");
  if (account.iban === null || bank === null) fail("validation_failed", { faults });
  const details = { iban: account.iban, bic: bank ?? null };
  return { kind, holder, currencies: ["eur"], details, hint: ibanHint(account.iban) };
}

function memberFaults(input: MethodInput): Fault[] {
  const { required, optional } = MEMBERS[input.kind];
  return ALL_MEMBERS.flatMap((member): Fault[] => {
    const pointer = `#/${member}`;
    if (required.includes(member) && input[member] === undefined)
      return [{ in: "body", pointer, code: "required_by_kind", detail: `${member} is required for ${input.kind}.` }];
    if (required.includes(member) || optional.includes(member) || input[member] === undefined) return [];
    return [{ in: "body", pointer, code: "not_of_kind", detail: `${member} does not apply to ${input.kind}.` }];
  });
}
