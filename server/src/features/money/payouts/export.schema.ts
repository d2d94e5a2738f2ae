import { closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { Cents } from "./schema.ts";

export const EXPORT_FORMATS = ["csv", "sepa"] as const;

export const PayoutExport = Type.Object(
  {
    id: Id("payout_export"),
    run_id: Id("payout_run"),
    format: Type.Enum([...EXPORT_FORMATS], {
      description: "csv: all payouts, for a person; sepa: a pain.001.001.09 file of the payouts by SEPA",
    }),
    currency: Type.Union([Currency, Type.Null()], { description: "The only currency in it; null for all" }),
    state: Type.Enum(["running", "finished"]),
    payouts: Type.Integer({ minimum: 0, description: "Number of payouts in it", examples: [12] }),
    amount_cents: Cents("Their sum, where they are of one currency", 182_340),
    created_by: Type.String({ examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
    created_at: Time,
    finished_at: nullable(Time),
  },
  { ...closed, title: "PayoutExport" },
);

export const PayoutExportList = listOf(PayoutExport, "PayoutExportList");
export const PayoutExportListQuery = Type.Object({ ...page, run_id: Type.Optional(Id("payout_run")) }, closed);
export type PayoutExportListQuery = Type.Static<typeof PayoutExportListQuery>;

export const PayoutExportCreate = Type.Object(
  {
    format: Type.Enum([...EXPORT_FORMATS], { examples: ["csv"] }),
    currency: Type.Optional(Currency),
  },
  { ...closed, title: "PayoutExportCreate" },
);
export type PayoutExportCreate = Type.Static<typeof PayoutExportCreate>;
