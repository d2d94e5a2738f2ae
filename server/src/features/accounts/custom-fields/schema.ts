import { RECORDS } from "../../../kernel/changes.ts";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
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
  description: "Values of the account's custom fields by their keys, see /v1/custom-fields",
  examples: [{}],
};

/** The custom values of a record. */
export const Custom = Type.Record(Type.String({ pattern: `^${KEY}$` }), value, described);

/** The same in a request: null removes a value. */
export const CustomInput = Type.Record(Type.String({ pattern: `^${KEY}$` }), nullable(value), described);

/** The filters of a list by custom fields: `custom.<key>=value`. */
export const customParameters = { patternProperties: { [`^custom\\.${KEY}$`]: { type: "string", maxLength: 1_000 } } };

const Resource = Type.Enum([...RECORDS], { description: "The kind of record that has the field" });
const Label = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "\\S",
  description: "The name that people see",
  examples: ["Shoe size"],
});
const Option = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^\\S(.*\\S)?$",
  description: "1 to 100 characters without leading or trailing whitespace",
});
const Options = Type.Array(Option, {
  maxItems: 100,
  uniqueItems: true,
  description: "Up to 100 options. Required for select and multi_select.",
  examples: [["small", "large"]],
});
/** No body may have a member of the two names. */
const NEW_KEY = `(?!(constructor|prototype)$)${KEY}`;
const Key = Type.String({
  pattern: `^${NEW_KEY}$`,
  description: "Up to 40 lower-case letters, digits and underscores, beginning with a letter",
  examples: ["shoe_size"],
});
const FieldType = Type.Enum([...FIELD_TYPES], { examples: ["select"] });

const settings = {
  label: Type.Optional(Label),
  options: Type.Optional(Options),
  required: Type.Optional(Type.Boolean({ description: "Whether a new or changed record must have a value" })),
};

export const CustomFieldCreate = Type.Object(
  {
    ...accountOfNew,
    resource: Resource,
    key: Key,
    type: FieldType,
    ...settings,
  },
  { ...closed, title: "CustomFieldCreate" },
);
export type CustomFieldCreate = Type.Static<typeof CustomFieldCreate>;

/** A field as snapshots have it, by a key such as deal.budget. */
export const CustomFieldSpec = Type.Object(
  { ...settings, label: Label, type: FieldType },
  { ...closed, title: "CustomFieldSpec" },
);
export const SPEC_KEY = new RegExp(`^(${RECORDS.join("|")})\\.${NEW_KEY}$`);

export const CustomFieldPatch = Type.Object(
  {
    ...settings,
    archived: Type.Optional(Type.Boolean({ description: "An archived field keeps its values and takes no new ones" })),
  },
  { ...closed, title: "CustomFieldPatch", minProperties: 1 },
);
export type CustomFieldPatch = Type.Static<typeof CustomFieldPatch>;

export const CustomField = Type.Object(
  {
    id: Id("custom_field"),
    account_id: AccountId,
    resource: Resource,
    key: Key,
    label: Label,
    type: FieldType,
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
