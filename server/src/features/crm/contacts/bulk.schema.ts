import { Id } from "../../../platform/http/shapes.ts";
import { bulkOf, bulkResultOf } from "../records/index.ts";

export const ContactBulk = bulkOf({
  title: "ContactBulk",
  many: "contacts",
  ids: "contact_ids",
  id: Id("contact"),
  example: { name: "Ada Okafor", phone: "+14155552671" },
});

export const ContactBulkResult = bulkResultOf("ContactBulkResult", {
  id: "con_01jd3k5y5cf7m8n9p0q1r2s3t4",
  code: "duplicate_contact",
  detail: "Another contact of the account has this phone.",
});
