import { Type } from "typebox";
import { closed, Id } from "../../../platform/http/shapes.ts";
import { Tags } from "../../clients/index.ts";

export const BULK_MAX = 500;

const some = { minItems: 1, maxItems: BULK_MAX };

export const ContactBulk = Type.Object(
  {
    action: Type.Enum(["create", "update", "delete", "tag", "untag"], { examples: ["create"] }),
    contacts: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        ...some,
        description: "for create what a create takes, for update what a change takes and the `id`",
        examples: [[{ name: "Ada Okafor", phone: "+14155552671" }]],
      }),
    ),
    contact_ids: Type.Optional(
      Type.Array(Id("contact"), { ...some, uniqueItems: true, description: "for delete, tag and untag" }),
    ),
    tags: Type.Optional(
      Type.Array(Tags.items, { minItems: 1, maxItems: 50, uniqueItems: true, description: "for tag and untag" }),
    ),
  },
  { ...closed, title: "ContactBulk" },
);
export type ContactBulk = Type.Static<typeof ContactBulk>;

const Count = Type.Integer({ minimum: 0, examples: [1] });

export const ContactBulkResult = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, description: "Its place in the request" }),
          id: Type.Union([Type.String({ examples: ["con_01jd3k5y5cf7m8n9p0q1r2s3t4"] }), Type.Null()]),
          status: Type.Enum(["ok", "unchanged", "error"]),
          error: Type.Optional(
            Type.Object(
              {
                code: Type.String({
                  description: "What the call for it alone would answer with",
                  examples: ["duplicate_contact"],
                }),
                detail: Type.String({ examples: ["Another contact of the account has this phone."] }),
              },
              { additionalProperties: true, description: "`errors`, `existing_id` and `suggestion` as in a problem" },
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
  { ...closed, title: "ContactBulkResult" },
);
export type BulkItem = Type.Static<typeof ContactBulkResult>["data"][number];
