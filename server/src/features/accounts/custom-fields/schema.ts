import { Type } from "typebox";
import { ALL_RESOURCES } from "../../../kernel/changes.ts";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { AccountId, accountOfNew } from "./admission/schema.ts";
import { FIELD_TYPES } from "./model.ts";

const KEY = "[a-z][a-z0-9_]{0,39}";

const value = Type.Union([
  Type.String({ maxLength: 1_000 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }),
]);
const described = {
  maxProperties: 100,
  additionalProperties: false,
  description: "The account's own fields by their keys, see /v1/custom-fields",
  examples: [{}],
};

/** The values of a record. */
export const Custom = Type.Record(Type.String({ pattern: `^${KEY}$` }), value, described);

/** The same in a request: null takes a value away. */
export const CustomGiven = Type.Record(Type.String({ pattern: `^${KEY}$` }), nullable(value), described);

/** What the query of a list takes besides its named parameters: `custom.<key>=value`. */
export const customParameters = { patternProperties: { [`^custom\\.${KEY}$`]: { type: "string", maxLength: 1_000 } } };

const Resource = Type.Enum([...ALL_RESOURCES], { description: "What kind of record has the field" });
const Label = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "\\S",
  description: "What people see",
  examples: ["Shoe size"],
});
const Option = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^\\S(.*\\S)?$",
  description: "1 to 100 characters, no blanks at its ends",
});
const Options = Type.Array(Option, {
  maxItems: 100,
  uniqueItems: true,
  description: "for select and multi_select: up to 100",
  examples: [["small", "large"]],
});

const settings = {
  label: Type.Optional(Label),
  options: Type.Optional(Options),
  required: Type.Optional(Type.Boolean({ description: "whether a record must have a value from now on" })),
};

export const CustomFieldCreate = Type.Object(
  {
    ...accountOfNew,
    resource: Resource,
    key: Type.String({ pattern: `^${KEY}$`, description: "lower case, digits and _, up to 40", examples: ["shoe_size"] }),
    type: Type.Enum([...FIELD_TYPES], { examples: ["select"] }),
    ...settings,
  },
  { ...closed, title: "CustomFieldCreate" },
);
export type CustomFieldCreate = Type.Static<typeof CustomFieldCreate>;

export const CustomFieldPatch = Type.Object(
  { ...settings, archived: Type.Optional(Type.Boolean({ description: "archived: keeps its values, takes no new ones" })) },
  { ...closed, title: "CustomFieldPatch", minProperties: 1 },
);
export type CustomFieldPatch = Type.Static<typeof CustomFieldPatch>;

export const CustomField = Type.Object(
  {
    id: Id("custom_field"),
    account_id: AccountId,
    resource: Resource,
    key: CustomFieldCreate.properties.key,
    label: Label,
    type: CustomFieldCreate.properties.type,
    options: Options,
    required: Type.Boolean(),
    archived: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "CustomField" },
);
export type CustomFieldShown = Type.Static<typeof CustomField>;

export const CustomFieldListQuery = Type.Object(
  { ...page, account_id: Type.Optional(AccountId), resource: Type.Optional(Resource) },
  closed,
);
export type CustomFieldListQuery = Type.Static<typeof CustomFieldListQuery>;

export const CustomFieldList = listOf(CustomField, "CustomFieldList");
