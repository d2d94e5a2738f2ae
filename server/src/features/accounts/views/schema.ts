import { closed, FREE_TEXT, Id, nullable, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

const Page = Type.String({ pattern: "^[a-z][a-z0-9-]{0,49}$", description: "Page of the portal", examples: ["clients"] });
const AccountId = nullable(
  Type.String({ ...Id("client"), description: "Account whose page it is; null for pages of the whole partner" }),
);
const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "^(?=.*\\S)[^\\u0000\\n]*$",
    description:
      "Unique among the views of the page that its owner shares, and among those that its owner keeps, not case-sensitive",
    examples: ["At risk"],
  }),
  query: Type.String({
    maxLength: 2000,
    pattern: FREE_TEXT,
    description: "Query string of the page: filters, sort and columns",
    examples: ["status=suspended&sort=-updated_at"],
  }),
  shared: Type.Boolean({ description: "Whether everybody with access to the account sees it" }),
};

export const ViewCreate = Type.Object(
  {
    page: Page,
    account_id: Type.Optional(AccountId),
    name: fields.name,
    query: fields.query,
    shared: Type.Optional(fields.shared),
  },
  { ...closed, title: "ViewCreate" },
);
export type ViewCreate = Type.Static<typeof ViewCreate>;

export const ViewPatch = Type.Partial(Type.Object(fields), { ...closed, title: "ViewPatch", minProperties: 1 });
export type ViewPatch = Type.Static<typeof ViewPatch>;

export const View = Type.Object(
  {
    id: Id("view"),
    page: Page,
    account_id: AccountId,
    ...fields,
    created_by: nullable(
      Type.String({ ...Id("user"), description: "Id of the user who saved it; null: it came with a snapshot" }),
    ),
    version: Version,
  },
  { ...closed, title: "View" },
);
export type ViewShown = Type.Static<typeof View>;

export const ViewListQuery = Type.Object({ page: Type.Optional(Page), account_id: Type.Optional(Id("client")) }, closed);
export type ViewListQuery = Type.Static<typeof ViewListQuery>;

export const ViewList = Type.Object(
  { data: Type.Array(View), has_more: Type.Literal(false), next_cursor: Type.Null() },
  { ...closed, title: "ViewList" },
);
