import { rowSet } from "../../../../platform/db/row-set.ts";

export const viewRows = rowSet({
  table: "views",
  columns: { page: "text", name: "text", query: "text" },
  archives: false,
  constants: { shared: "true" },
});
