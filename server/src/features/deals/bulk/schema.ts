import { Type } from "typebox";
import { closed, Id } from "../../../platform/http/shapes.ts";
import { Tags } from "../../clients/index.ts";

const some = { minItems: 1, maxItems: 500 };

export const DealBulk = Type.Object(
  {
    action: Type.Enum(["create", "update", "delete", "tag", "untag"], { examples: ["create"] }),
    deals: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        ...some,
        description: "for create what a create takes, for update what a change takes and the `id`",
        examples: [[{ name: "Ten seats for Harbour Dental", amount_cents: 120_000 }]],
      }),
    ),
    deal_ids: Type.Optional(Type.Array(Id("deal"), { ...some, uniqueItems: true, description: "for delete, tag and untag" })),
    tags: Type.Optional(
      Type.Array(Tags.items, { minItems: 1, maxItems: 50, uniqueItems: true, description: "for tag and untag" }),
    ),
  },
  { ...closed, title: "DealBulk" },
);
export type DealBulk = Type.Static<typeof DealBulk>;

const Count = Type.Integer({ minimum: 0, examples: [1] });

export const DealBulkResult = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, description: "Its place in the request" }),
          id: Type.Union([Type.String({ examples: ["deal_01jd3k5y5cf7m8n9p0q1r2s3t4"] }), Type.Null()]),
          status: Type.Enum(["ok", "unchanged", "error"]),
          error: Type.Optional(
            Type.Object(
              {
                code: Type.String({ description: "What the call for it alone would answer with", examples: ["duplicate_deal"] }),
                detail: Type.String({ examples: ["Another deal of the account has the external_id crm-4711."] }),
              },
              { additionalProperties: true, description: "`errors`, `existing_id` and the like as in a problem" },
            ),
          ),
        },
        closed,
      ),
      { description: "One for each, in the order asked" },
    ),
    succeeded: Count,
    unchanged: Count,
    failed: Count,
  },
  { ...closed, title: "DealBulkResult" },
);
export type BulkItem = Type.Static<typeof DealBulkResult>["data"][number];
