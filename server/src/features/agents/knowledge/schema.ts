import { closed, FreeText, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, accountOfNew } from "../../accounts/custom-fields/index.ts";
import { KEY, KINDS, LANGUAGE_CODES, STATUSES, TEXT_MAX } from "./model.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^\\S(.*\\S)?$",
  description: "What citations call it",
  examples: ["Opening hours"],
});
export const Key = Type.String({
  pattern: KEY,
  description: "What versions of agents and snapshots name it by, unique in the account. Default: made from the name",
  examples: ["opening-hours"],
});
const Language = Type.Enum([...LANGUAGE_CODES], {
  type: "string",
  description: "The language of its words; simple takes them as they are. Default: en",
  examples: ["en"],
});
const Text = Type.String({
  minLength: 1,
  maxLength: TEXT_MAX,
  pattern: "^[^\\u0000]*\\S[^\\u0000]*$",
  description: "Plain text or Markdown, of which the headings are used",
  examples: ["# Opening hours\n\nWe are open from 9 to 17, and on the first Saturday of the month from 9 to 13."],
});
const Address = Type.String({
  maxLength: 2000,
  description: "A page of HTML or text: fetched now, and every day",
  examples: ["https://harbour.example/prices"],
});

/** What sources and their assets have in common. */
export const words = { key: Key, name: Name, language: Language, text: Text, url: Address };

export const SourceCreate = Type.Object(
  {
    ...accountOfNew,
    kind: Type.Enum(["text", "url"], {
      type: "string",
      description: "text, with text; url, with url. Files are uploaded to /knowledge-sources/files",
      examples: ["text"],
    }),
    name: Name,
    key: Type.Optional(Key),
    language: Type.Optional(Language),
    text: Type.Optional(Text),
    url: Type.Optional(Address),
  },
  { ...closed, title: "KnowledgeSourceCreate" },
);
export type SourceCreate = Type.Static<typeof SourceCreate>;

export const FileQuery = Type.Object(
  {
    filename: FreeText(200, "The name of the file: it ends with .txt, .md, .html or .htm", "prices.md"),
    name: Type.Optional(Type.String({ ...Name, description: "What citations call it. Default: the name of the file" })),
    key: Type.Optional(Key),
    language: Type.Optional(Language),
    account_id: Type.Optional(AccountId),
  },
  closed,
);
export type FileQuery = Type.Static<typeof FileQuery>;

export const SourcePatch = Type.Partial(Type.Object({ name: Name, language: Language, text: Text, url: Address }), {
  ...closed,
  title: "KnowledgeSourcePatch",
  minProperties: 1,
});
export type SourcePatch = Type.Static<typeof SourcePatch>;

const shown = {
  id: Id("knowledge_source"),
  account_id: AccountId,
  key: Key,
  kind: Type.Enum([...KINDS], { type: "string", examples: ["text"] }),
  name: Name,
  language: Language,
  url: nullable(Type.String({ description: "Of a page", examples: ["https://harbour.example/prices"] })),
  filename: nullable(Type.String({ description: "Of a file", examples: ["prices.md"] })),
  bytes: Type.Integer({ minimum: 0, description: "Size of its text" }),
  chunks: Type.Integer({ minimum: 0, description: "In how many passages it is searched" }),
  status: Type.Enum([...STATUSES], {
    type: "string",
    description:
      "fetching: not fetched yet; failed: the last time it could not be fetched. What was fetched before is still used",
    examples: ["ready"],
  }),
  error: nullable(Type.String({ description: "Why it could not be fetched", examples: ["The server answered 404."] })),
  fetched_at: nullable(Type.String({ ...Time, description: "When a page was fetched last, or found to be the same" })),
  created_at: Time,
  updated_at: Time,
  version: Version,
};

export const Source = Type.Object(shown, { ...closed, title: "KnowledgeSource" });
export type SourceShown = Type.Static<typeof Source>;
export const SourceWhole = Type.Object(
  { ...shown, text: Type.String({ description: "What is searched, as text" }) },
  { ...closed, title: "KnowledgeSourceWhole" },
);

export const SourceListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    kind: Type.Optional(
      Type.Array(Type.Enum([...KINDS], { type: "string", examples: ["url"] }), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description: "Of any of these kinds",
      }),
    ),
    status: Type.Optional(
      Type.Array(Type.Enum([...STATUSES], { type: "string", examples: ["failed"] }), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description: "With any of these",
      }),
    ),
  },
  closed,
);
export type SourceListQuery = Type.Static<typeof SourceListQuery>;
export const SourceList = listOf(Source, "KnowledgeSourceList");

export const SearchQuery = Type.Object(
  {
    q: FreeText(500, "What to look for", "Saturday opening hours"),
    account_id: AccountId,
    key: Type.Optional(Type.Array(Key, { minItems: 1, maxItems: 50, uniqueItems: true, description: "Only in these sources" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: "How many at most. Default: 5", examples: [5] })),
  },
  closed,
);
export type SearchQuery = Type.Static<typeof SearchQuery>;

export const Hit = Type.Object(
  {
    source_id: Id("knowledge_source"),
    title: Type.String({ description: "Name of the source", examples: ["Opening hours"] }),
    url: nullable(Type.String({ examples: ["https://harbour.example/prices"] })),
    chunk: Type.Integer({ minimum: 1, description: "Number of the passage in its source" }),
    quote: Type.String({ description: "The words that fit best, up to 500 characters" }),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Above 0.5 where all words were found; else half the share of the words",
    }),
  },
  { ...closed, title: "KnowledgeHit" },
);

export const Hits = Type.Object(
  { data: Type.Array(Hit, { description: "The best first" }) },
  { ...closed, title: "KnowledgeHits" },
);
