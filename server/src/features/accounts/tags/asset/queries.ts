import { rowSet } from "../../../../platform/db/row-set.ts";

export const tagRows = rowSet({ table: "account_tags", columns: { name: "text", description: "text" }, archives: false });
