/** Where the demo partners are paid: by hand in dollars, and by SEPA in euro. Nobody takes the euro that overrides of the first one earn. */
export const DEMO_METHOD = {
  kind: "manual",
  holder: "Northwind Agency LLC",
  instructions: "ACH to account 000123456789 at Lakeside Bank, routing number 111000025",
  currencies: ["usd"],
} as const;
export const DEMO_SUB_METHOD = { kind: "sepa", holder: "Fjord Studio ApS", iban: "DK50 0040 0440 1162 43" } as const;

/** The account of before: the bank of the partner refused one payout, and the partner gave another account. */
export const DEMO_FORMER_METHOD = {
  ...DEMO_METHOD,
  instructions: "ACH to account 000987654321 at Prairie Trust, routing number 111000025",
};

export const DEMO_METHOD_DAYS_AGO = 160;

/** The account that bank files of the demo programme pay from. */
export const DEMO_DEBTOR = { name: "Tributary GmbH", iban: "DE89 3704 0044 0532 0130 00" };

/** Runs of the schedule start a little after their time. */
export const STARTED_DAYS_AFTER = 0.002;
/** What becomes of the payouts of a run, in days after it. */
export const EXPORTED_DAYS_AFTER = 0.3;
export const PAID_DAYS_AFTER = 2.2;
export const RETRIED_DAYS_AFTER = 4.4;
export const PAID_AGAIN_DAYS_AFTER = 6.3;

/** The run whose payout to the demo partner failed, counted from the last one. */
export const DEMO_FAILED_RUN = 2;
export const DEMO_FAILURE = "Account closed";
/** What the bank says of the last payout to the sub-partner: it waits for the operator. */
export const DEMO_OPEN_FAILURE = "The name does not match the account";
