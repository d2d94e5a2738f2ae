export { type Balance, balances } from "./accounts.queries.ts";
export { asOfTime } from "./as-of.model.ts";
export { type Books, openBooks } from "./books.commands.ts";
export { accountOfCommission, lockBooks, takeStatements } from "./books.queries.ts";
export { feature } from "./feature.ts";
export { type PayoutHold, payoutHold, savePayoutHold } from "./hold.queries.ts";
export { ACCOUNTS, type Account, FACTS, type Fact, type Posting } from "./model.ts";
export { bookOf, readAccounts } from "./read.commands.ts";
export { AsOf, LedgerQuery } from "./schema.ts";
