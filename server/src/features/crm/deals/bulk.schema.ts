import { Id } from "../../../platform/http/shapes.ts";
import { bulkOf, bulkResultOf } from "../records/index.ts";

export const DealBulk = bulkOf({
  title: "DealBulk",
  many: "deals",
  ids: "deal_ids",
  id: Id("deal"),
  example: { name: "Ten seats for Harbour Dental", amount_cents: 120_000 },
});

export const DealBulkResult = bulkResultOf("DealBulkResult", {
  id: "deal_01jd3k5y5cf7m8n9p0q1r2s3t4",
  code: "duplicate_deal",
  detail: "The external_id crm-4711 is already in use by another deal of the account.",
});
