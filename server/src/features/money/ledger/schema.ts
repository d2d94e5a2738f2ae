import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { ACCOUNTS, FACTS } from "./model.ts";

const Account = Type.Enum([...ACCOUNTS], {
  description:
    "expense: what was earned, as a negative balance; pending: in the hold period; held: held by the operator; approved: ready for payout; scheduled: part of a payout; cash: paid out; written_off: owed by the partner and waived",
});

const Balance = Type.Integer({
  minimum: -CENTS_MAX,
  maximum: CENTS_MAX,
  description: "Credits less debits, in minor units. The balances of a book add up to 0 in each currency",
  examples: [149_850],
});

const Cents = Type.Integer({ minimum: 0, maximum: CENTS_MAX, description: "In minor units", examples: [7493] });

export const AsOf = Type.String({
  ...Time,
  description: "The state at this time, at least 60 seconds ago, in RFC 3339. Default: now",
});

export const LedgerQuery = Type.Object({ as_of: Type.Optional(AsOf) }, closed);
export type LedgerQuery = Type.Static<typeof LedgerQuery>;

export const LedgerAccount = Type.Object(
  { account: Account, currency: Currency, balance_cents: Balance },
  { ...closed, title: "LedgerAccount" },
);

export const LedgerAccounts = Type.Object(
  { as_of: Time, data: Type.Array(LedgerAccount) },
  { ...closed, title: "LedgerAccounts" },
);

const sides = {
  debit_cents: Type.Integer({ ...Cents, description: "The balance where it is a debit, else 0" }),
  credit_cents: Type.Integer({ ...Cents, description: "The balance where it is a credit, else 0" }),
};

export const TrialBalance = Type.Object(
  {
    as_of: Time,
    data: Type.Array(
      Type.Object(
        { account: Account, currency: Currency, ...sides, balance_cents: Balance },
        { ...closed, title: "TrialBalanceRow" },
      ),
    ),
    totals: Type.Array(
      Type.Object({ currency: Currency, debit_cents: Cents, credit_cents: Cents }, { ...closed, title: "TrialBalanceTotal" }),
      { description: "In each currency the debits equal the credits" },
    ),
  },
  { ...closed, title: "TrialBalance" },
);

export const LedgerEntry = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: "Number of the transfer in the book, without gaps", examples: [42] }),
    transaction_id: Id("ledger_transaction"),
    at: Time,
    account: Account,
    currency: Currency,
    debit_cents: Cents,
    credit_cents: Cents,
    balance_cents: Type.Integer({ ...Balance, description: "Balance of the account after the transfer: credits less debits" }),
    fact: Type.Enum([...FACTS], { description: "Why the amount was moved" }),
    commission_id: nullable(Id("commission")),
    payout_id: nullable(Id("payout")),
  },
  { ...closed, title: "LedgerEntry" },
);

export const LedgerEntryQuery = Type.Object(
  {
    ...page,
    account: Type.Optional(Account),
    currency: Type.Optional(Currency),
    commission_id: Type.Optional(Id("commission")),
    at_after: Type.Optional(Type.String({ ...Time, description: "From this time on, inclusive, in RFC 3339" })),
    at_before: Type.Optional(Type.String({ ...Time, description: "Before this time, in RFC 3339" })),
  },
  closed,
);
export type LedgerEntryQuery = Type.Static<typeof LedgerEntryQuery>;

export const LedgerEntries = listOf(LedgerEntry, "LedgerEntries");
