import { Id } from "../../../platform/http/shapes.ts";
import { bulkOf, bulkResultOf } from "../records/index.ts";

export const LeadBulk = bulkOf({
  title: "LeadBulk",
  many: "leads",
  ids: "lead_ids",
  id: Id("lead"),
  example: { name: "Ada Okafor", email: "ada@harbour.example" },
});

export const LeadBulkResult = bulkResultOf("LeadBulkResult", {
  id: "lead_01jd3k5y5cf7m8n9p0q1r2s3t4",
  code: "duplicate_lead",
  detail: "Another lead of the account has this phone.",
});
