import { Type } from "typebox";
import { ALL_RESOURCES } from "../../../kernel/changes.ts";
import { closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { IMPORT_MODES } from "../records/index.ts";
import { STATUSES } from "./model.ts";

const Resource = Type.Enum([...ALL_RESOURCES], {
  type: "string",
  description: "What kind of record the rows are; contact unless told",
});
const Mode = Type.Enum([...IMPORT_MODES], {
  type: "string",
  description:
    "create: only new ones; upsert: change those that are there, create the others; update: only those that are there. create unless told",
});
const Country = Type.String({
  pattern: "^[A-Z]{2}$",
  description: "the country that phone numbers without a country code are of, such as US",
  examples: ["US"],
});

export const ImportOptions = Type.Object(
  {
    resource: Type.Optional(Resource),
    account_id: Type.Optional(AccountId),
    mode: Type.Optional(Mode),
    dry_run: Type.Optional(Type.Boolean({ description: "whether everything is only checked, and nothing changed" })),
    default_country: Type.Optional(Country),
    mapping: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 8_000,
        pattern: "^\\{",
        description: 'a JSON object of columns and their fields, such as {"Mobile": "phone", "Size": "custom.size", "Age": null}',
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
    columns: Type.Array(Type.String(), { description: "The names in the first line", examples: [["Name", "Mobile", "Shoe"]] }),
    mapping: Type.Record(Type.String(), nullable(Type.String()), {
      description: "The field that each column is for",
      examples: [{ Name: "name", Mobile: "phone", Shoe: null }],
    }),
    unmapped_columns: Type.Array(Type.String(), { description: "Columns that nothing is taken from", examples: [["Shoe"]] }),
    default_country: nullable(Country),
    bytes: Count("The size of the file"),
    total: Count("How many rows the file has, without the line of names and empty lines"),
    processed: Count("How many of them are through"),
    created: Count("Of these, how many made a record"),
    updated: Count("How many changed one"),
    unchanged: Count("How many said what was there already"),
    failed: Count("How many were refused: see errors"),
    progress: Type.Number({ minimum: 0, maximum: 1, examples: [0.5] }),
    failure: nullable(
      Type.Object(
        { code: Type.String({ examples: ["client_inactive"] }), detail: Type.String({ examples: ["The client is suspended."] }) },
        { ...closed, description: "Why it ended early, if it failed" },
      ),
    ),
    revert: nullable(
      Type.Object(
        {
          removed: Count("Records it had made that are deleted"),
          restored: Count("Records it had changed that are as they were before"),
          kept: Count("Records that were touched since, and stay"),
        },
        { ...closed, description: "What became of the records, once it is reverted" },
      ),
    ),
    created_by: Type.String({ description: "The key or user that sent it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
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
    resource: Type.Optional(
      Type.Enum([...ALL_RESOURCES], { type: "string", description: "Only imports of this kind of record" }),
    ),
    status: Type.Optional(
      Type.Array(Type.Enum([...STATUSES], { type: "string" }), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: "any of these",
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
    row: Type.Integer({ minimum: 2, description: "The row as a spreadsheet counts it: the line of names is 1", examples: [2] }),
    column: nullable(Type.String({ description: "The column, if one is at fault", examples: ["Mobile"] })),
    code: Type.String({ description: "What the call for it alone would answer with", examples: ["invalid_phone"] }),
    detail: Type.String({ examples: ["phone must be in E.164, such as +14155552671."] }),
    value: nullable(Type.String({ description: "What the cell says, up to 200 characters", examples: ["12"] })),
  },
  { ...closed, title: "ImportError" },
);

export const ImportErrorList = listOf(ImportError, "ImportErrorList");
