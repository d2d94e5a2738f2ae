import type { Account, Entry } from "./data.ts";

/** The accounts of a book, in the order of a commission's way. */
export const ACCOUNTS: Record<Account, { name: string; meaning: string }> = {
  pending: { name: "Pending", meaning: "in the hold period" },
  held: { name: "Held", meaning: "held by the operator" },
  approved: { name: "Approved", meaning: "ready for payout" },
  scheduled: { name: "Scheduled", meaning: "part of a payout" },
  cash: { name: "Paid", meaning: "paid out" },
  written_off: { name: "Written off", meaning: "owed by you and waived" },
  expense: { name: "Earned", meaning: "what the programme owed you in all" },
};

export const FACTS: Record<Entry["fact"], string> = {
  accrued: "Commission recorded",
  adjusted: "Adjusted by the operator",
  settled: "Settled by the first charge",
  refunded: "Reduced by a refund",
  reversed: "Taken back",
  approved: "Hold over",
  held: "Held by the operator",
  released: "Released by the operator",
  scheduled: "Put into a payout",
  paid: "Paid out",
  cancelled: "Payout cancelled",
};
