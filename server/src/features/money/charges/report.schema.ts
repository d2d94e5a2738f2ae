import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, FreeText, Id, nullable, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { ExternalId } from "./schema.ts";

const fields = {
  external_id: ExternalId,
  amount_cents: Type.Integer({
    minimum: 0,
    maximum: CENTS_MAX,
    description: "What the client paid, without tax, in minor units. 0 is stored and earns nothing",
    examples: [49_900],
  }),
  currency: Currency,
  charged_at: Type.String({ ...Time, description: "When the client paid, at most a day in the future" }),
  months: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 120, description: "The months that it pays for. Default: 1", examples: [1] }),
  ),
  plan: Type.Optional(nullable(FreeText(200, "The plan that it pays for", "Growth"))),
};

export const ChargeCreate = Type.Object(fields, { ...closed, title: "ChargeCreate" });
export type ChargeCreate = Type.Static<typeof ChargeCreate>;

export const CHARGES_MAX = 500;

export const ChargeBulk = Type.Object(
  {
    charges: Type.Array(Type.Object({ client_id: Id("client"), ...fields }, closed), {
      minItems: 1,
      maxItems: CHARGES_MAX,
      description: `1 to ${CHARGES_MAX} charges of any clients`,
    }),
  },
  { ...closed, title: "ChargeBulk" },
);
export type ChargeBulk = Type.Static<typeof ChargeBulk>;

const Count = Type.Integer({ minimum: 0, examples: [1] });

export const ChargeBulkResult = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          external_id: ExternalId,
          status: Type.Enum(["created", "unchanged", "error"]),
          charge_id: Type.Optional(Id("charge")),
          error: Type.Optional(
            Type.Object(
              {
                code: Type.String({ description: "The error code of the same charge alone", examples: ["duplicate_charge"] }),
                detail: Type.String({ examples: ["cli_01jd3k5y5cf7m8n9p0q1r2s3t4 was not found."] }),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
      { description: "One result per charge, in the order of the request" },
    ),
    created: Count,
    unchanged: Count,
    failed: Count,
  },
  { ...closed, title: "ChargeBulkResult" },
);

const refund = {
  external_id: ExternalId,
  amount_cents: Type.Integer({
    minimum: 1,
    maximum: CENTS_MAX,
    description: "What the client got back, without tax, in minor units",
    examples: [9_900],
  }),
  reason: Type.Optional(nullable(FreeText(500, "Why it was refunded", "Service credit"))),
  refunded_at: Type.Optional(Type.String({ ...Time, description: "When it was refunded. Default: now" })),
};

export const RefundCreate = Type.Object(refund, { ...closed, title: "RefundCreate" });
export type RefundCreate = Type.Static<typeof RefundCreate>;

export const ClientRefundCreate = Type.Object(
  {
    charge_external_id: Type.String({ ...ExternalId, description: "The external_id of the charge, which may be reported later" }),
    ...refund,
  },
  { ...closed, title: "ClientRefundCreate" },
);
export type ClientRefundCreate = Type.Static<typeof ClientRefundCreate>;
