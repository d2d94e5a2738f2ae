import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Tag as TagName } from "../clients/index.ts";
import { AccountId, accountOfNew } from "../custom-fields/index.ts";

export const Name = Type.String({
  ...TagName,
  description: "1 to 50 characters without leading or trailing whitespace, unique in the account, not case-sensitive",
});
export const Description = nullable(
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: "^[^\\u0000]*$",
    description: "What the tag stands for",
    examples: ["Answers within an hour"],
  }),
);

export const TagCreate = Type.Object(
  { ...accountOfNew, name: Name, description: Type.Optional(Description) },
  { ...closed, title: "TagCreate" },
);
export type TagCreate = Type.Static<typeof TagCreate>;

export const TagPatch = Type.Object(
  { name: Type.Optional(Name), description: Type.Optional(Description) },
  { ...closed, title: "TagPatch", minProperties: 1 },
);
export type TagPatch = Type.Static<typeof TagPatch>;

export const Tag = Type.Object(
  {
    id: Id("tag"),
    account_id: AccountId,
    name: Name,
    description: Description,
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Tag" },
);
export type TagShown = Type.Static<typeof Tag>;

export const TagListQuery = Type.Object({ ...page, account_id: Type.Optional(AccountId) }, closed);
export type TagListQuery = Type.Static<typeof TagListQuery>;

export const TagList = listOf(Tag, "TagList");
