export { type Books, openBooks } from "./books.commands.ts";
export { feature } from "./feature.ts";
export { ACCOUNTS, type Account, FACTS, type Fact, type Posting } from "./model.ts";
