import { rowSet } from "../../../../platform/db/row-set.ts";

export const templateRows = rowSet({
  table: "message_templates",
  columns: { name: "text", channel: "text", subject: "text", text: "text", provider_template: "jsonb" },
  archives: true,
});
