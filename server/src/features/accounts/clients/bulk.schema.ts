import { closed, Id } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Reason, Tag } from "./schema.ts";

export const BulkChange = Type.Object(
  {
    action: Type.Enum(["suspend", "reactivate", "tag", "untag"], { examples: ["suspend"] }),
    client_ids: Type.Array(Id("client"), { minItems: 1, maxItems: 500, uniqueItems: true, description: "1 to 500 client ids" }),
    reason: Type.Optional(Reason),
    tags: Type.Optional(
      Type.Array(Tag, {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: "The tags to add or remove. Required for tag and untag.",
        examples: [["vip"]],
      }),
    ),
  },
  { ...closed, title: "ClientBulkChange" },
);
export type BulkChange = Type.Static<typeof BulkChange>;

const Count = Type.Integer({ minimum: 0, examples: [1] });

export const BulkResult = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          client_id: Id("client"),
          status: Type.Enum(["ok", "unchanged", "error"]),
          error: Type.Optional(
            Type.Object(
              {
                code: Type.String({
                  description: "The error code of the same request for this client alone",
                  examples: ["not_found"],
                }),
                detail: Type.String({ examples: ["cli_01jd3k5y5cf7m8n9p0q1r2s3t4 was not found."] }),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
      { description: "One result per client, in the order of the request" },
    ),
    succeeded: Count,
    unchanged: Count,
    failed: Count,
  },
  { ...closed, title: "ClientBulkResult" },
);
export type BulkItem = Type.Static<typeof BulkResult>["data"][number];
