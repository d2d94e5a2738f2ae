import { type TString, Type } from "typebox";
import type { ErrorCode } from "../../../kernel/errors.ts";
import { closed } from "../../../platform/http/shapes.ts";
import { Tags } from "../../accounts/clients/index.ts";

export const BULK_MAX = 500;

const some = { minItems: 1, maxItems: BULK_MAX };

type Named = {
  title: string;
  /** The name of the member with whole records, and of the one with their ids. */
  many: string;
  ids: string;
  id: TString;
  example: object;
};

/** The body of a change of many records of a kind. */
export function bulkOf({ title, many, ids, id, example }: Named) {
  return Type.Object(
    {
      action: Type.Enum(["create", "update", "delete", "tag", "untag"], { examples: ["create"] }),
      [many]: Type.Optional(
        Type.Array(Type.Object({}, { additionalProperties: true }), {
          ...some,
          description: "for create what a create takes, for update what a change takes and the `id`",
          examples: [[example]],
        }),
      ),
      [ids]: Type.Optional(Type.Array(id, { ...some, uniqueItems: true, description: "for delete, tag and untag" })),
      tags: Type.Optional(
        Type.Array(Tags.items, { minItems: 1, maxItems: 50, uniqueItems: true, description: "for tag and untag" }),
      ),
    },
    { ...closed, title },
  );
}

/** The same as it is read: which members there are beside the action depends on the kind of record. */
export type BulkInput = { action: "create" | "update" | "delete" | "tag" | "untag"; tags?: string[]; [member: string]: unknown };

const Count = Type.Integer({ minimum: 0, examples: [1] });

export function bulkResultOf(title: string, example: { id: string; code: ErrorCode; detail: string }) {
  const item = Type.Object(
    {
      index: Type.Integer({ minimum: 0, description: "Its place in the request" }),
      id: Type.Union([Type.String({ examples: [example.id] }), Type.Null()]),
      status: Type.Enum(["ok", "unchanged", "error"]),
      error: Type.Optional(
        Type.Object(
          {
            code: Type.String({ description: "What the call for it alone would answer with", examples: [example.code] }),
            detail: Type.String({ examples: [example.detail] }),
          },
          { additionalProperties: true, description: "`errors`, `existing_id` and `suggestion` as in a problem" },
        ),
      ),
    },
    closed,
  );
  const data = Type.Array(item, { description: "One for each, in the order asked" });
  return Type.Object({ data, succeeded: Count, unchanged: Count, failed: Count }, { ...closed, title });
}
export type BulkItem = Type.Static<ReturnType<typeof bulkResultOf>>["data"][number];
