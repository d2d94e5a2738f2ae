import { RECORDS } from "../../../kernel/changes.ts";
import { closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { IMPORT_MODES } from "../records/index.ts";
import { STATUSES } from "./model.ts";

const Resource = Type.Enum([...RECORDS], {
  type: "string",
  description: "The resource that the rows are imported as; default contact",
});
const Mode = Type.Enum([...IMPORT_MODES], {
  type: "string",
  description:
    "create: create records, fail for existing ones; upsert: update existing records, create the others; update: update existing records, fail for others. Default create",
});
const Country = Type.String({
  pattern: "^[A-Z]{2}$",
  description: "The country of phone numbers without a country code, such as US",
  examples: ["US"],
});

export const ImportOptions = Type.Object(
  {
    resource: Type.Optional(Resource),
    account_id: Type.Optional(AccountId),
    mode: Type.Optional(Mode),
    dry_run: Type.Optional(
      Type.Boolean({ description: "Whether to validate the file without changing anything; default false" }),
    ),
    default_country: Type.Optional(Country),
    mapping: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 8_000,
        pattern: "^\\{",
        description: 'A JSON object that maps columns to fields, such as {"Mobile": "phone", "Size": "custom.size", "Age": null}',
        examples: ['{"Mobile":"phone"}'],
      }),
    ),
  },
  closed,
);
export type ImportOptions = Type.Static<typeof ImportOptions>;

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });

export const Import = Type.Object(
  {
    id: Id("import"),
    account_id: AccountId,
    resource: Resource,
    mode: Mode,
    dry_run: Type.Boolean(),
    status: Type.Enum([...STATUSES], { type: "string", examples: ["running"] }),
    columns: Type.Array(Type.String(), {
      description: "The column names in the first line",
      examples: [["Name", "Mobile", "Shoe"]],
    }),
    mapping: Type.Record(Type.String(), nullable(Type.String()), {
      description: "The field that each column is mapped to",
      examples: [{ Name: "name", Mobile: "phone", Shoe: null }],
    }),
    unmapped_columns: Type.Array(Type.String(), { description: "Columns that are not imported", examples: [["Shoe"]] }),
    default_country: nullable(Country),
    bytes: Count("The size of the file in bytes"),
    total: Count("Rows in the file, without the header and empty lines"),
    processed: Count("Rows processed so far"),
    created: Count("Rows that created a record"),
    updated: Count("Rows that updated a record"),
    unchanged: Count("Rows that changed nothing"),
    failed: Count("Rows that failed; see the errors"),
    progress: Type.Number({ minimum: 0, maximum: 1, description: "The fraction that is done", examples: [0.5] }),
    failure: nullable(
      Type.Object(
        { code: Type.String({ examples: ["client_inactive"] }), detail: Type.String({ examples: ["The client is suspended."] }) },
        { ...closed, description: "Why the import failed" },
      ),
    ),
    revert: nullable(
      Type.Object(
        {
          removed: Count("Created records that were deleted"),
          restored: Count("Updated records that were restored"),
          kept: Count("Records that were changed since, and kept"),
        },
        { ...closed, description: "The progress of the revert" },
      ),
    ),
    created_by: Type.String({
      description: "The key or user that created the import",
      examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    created_at: Time,
    started_at: nullable(Time),
    finished_at: nullable(Time),
    reverted_at: nullable(Time),
  },
  { ...closed, title: "Import" },
);

export const ImportListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    resource: Type.Optional(Type.Enum([...RECORDS], { type: "string", description: "Imports of this resource only" })),
    status: Type.Optional(
      Type.Array(Type.Enum([...STATUSES], { type: "string" }), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: "Imports in any of these states",
      }),
    ),
  },
  closed,
);
export type ImportListQuery = Type.Static<typeof ImportListQuery>;

export const ImportList = listOf(Import, "ImportList");

export const ImportErrorsQuery = Type.Object(page, closed);
export type ImportErrorsQuery = Type.Static<typeof ImportErrorsQuery>;

const ImportError = Type.Object(
  {
    row: Type.Integer({ minimum: 2, description: "The row number as in a spreadsheet; the header is row 1", examples: [2] }),
    column: nullable(Type.String({ description: "The column that is wrong; null if it is the whole row", examples: ["Mobile"] })),
    code: Type.String({ description: "The error code of the single request", examples: ["invalid_phone"] }),
    detail: Type.String({ examples: ["phone must be in E.164, such as +14155552671."] }),
    value: nullable(Type.String({ description: "The first 200 characters of the cell", examples: ["12"] })),
  },
  { ...closed, title: "ImportError" },
);

export const ImportErrorList = listOf(ImportError, "ImportErrorList");

export const ImportFieldsQuery = Type.Object({ resource: Type.Optional(Resource) }, closed);
export type ImportFieldsQuery = Type.Static<typeof ImportFieldsQuery>;

const FieldName = Type.String({ examples: ["phone"] });
const Groups = Type.Array(Type.Array(FieldName), { examples: [[["name", "first_name", "last_name"], ["phone"]]] });

export const ImportFields = Type.Object(
  {
    resource: Resource,
    fields: Type.Array(
      Type.Object(
        {
          name: FieldName,
          synonyms: Type.Array(Type.String(), {
            description: "Other column names that are mapped to the field, in lower case, without punctuation",
            examples: [["mobile", "telephone"]],
          }),
        },
        closed,
      ),
      { description: "The fields that a column can be mapped to, besides `custom.<key>`" },
    ),
    required: Type.Object(Object.fromEntries(IMPORT_MODES.map((mode) => [mode, Groups])), {
      ...closed,
      description: "By mode, the fields that a file must have: a column for one of each group",
    }),
  },
  { ...closed, title: "ImportFields" },
);
