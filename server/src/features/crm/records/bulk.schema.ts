import type { ErrorCode } from "../../../kernel/errors.ts";
import { closed } from "../../../platform/http/shapes.ts";
import { type TString, Type } from "../../../platform/http/type.ts";
import { Tags } from "../../accounts/clients/index.ts";

export const BULK_MAX = 500;

const some = { minItems: 1, maxItems: BULK_MAX };

type BulkNames = {
  title: string;
  /** The names of the members with whole records and with ids. */
  many: string;
  ids: string;
  id: TString;
  example: object;
};

/** The body of a bulk request. */
export function bulkOf({ title, many, ids, id, example }: BulkNames) {
  return Type.Object(
    {
      action: Type.Enum(["create", "update", "delete", "tag", "untag"], { examples: ["create"] }),
      [many]: Type.Optional(
        Type.Array(Type.Object({}, { additionalProperties: true }), {
          ...some,
          description:
            "Required by create and update. Each item is the body of the single request; for update also with its `id`",
          examples: [[example]],
        }),
      ),
      [ids]: Type.Optional(Type.Array(id, { ...some, uniqueItems: true, description: "Required by delete, tag and untag" })),
      tags: Type.Optional(
        Type.Array(Tags.items, { minItems: 1, maxItems: 50, uniqueItems: true, description: "Required by tag and untag" }),
      ),
    },
    { ...closed, title },
  );
}

/** The parsed body: the names of its members depend on the resource. */
export type BulkInput = { action: "create" | "update" | "delete" | "tag" | "untag"; tags?: string[]; [member: string]: unknown };

const Count = Type.Integer({ minimum: 0, examples: [1] });

export function bulkResultOf(title: string, example: { id: string; code: ErrorCode; detail: string }) {
  const item = Type.Object(
    {
      index: Type.Integer({ minimum: 0, description: "The index of the item in the request" }),
      id: Type.Union([Type.String({ examples: [example.id] }), Type.Null()]),
      status: Type.Enum(["ok", "unchanged", "error"]),
      error: Type.Optional(
        Type.Object(
          {
            code: Type.String({ description: "The error code of the single request", examples: [example.code] }),
            detail: Type.String({ examples: [example.detail] }),
          },
          { additionalProperties: true, description: "With `errors`, `existing_id` and `suggestion` as in a problem" },
        ),
      ),
    },
    closed,
  );
  const data = Type.Array(item, { description: "One result for each item, in the order of the request" });
  return Type.Object({ data, succeeded: Count, unchanged: Count, failed: Count }, { ...closed, title });
}
export type BulkItem = Type.Static<ReturnType<typeof bulkResultOf>>["data"][number];
