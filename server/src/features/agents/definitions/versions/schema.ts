import { closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { ENGINES, MAX_TOKENS } from "../../engine/index.ts";
import { SourceKey } from "../../knowledge/index.ts";
import { Playbook } from "../playbook.schema.ts";

const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000]*\\S[^\\u0000]*$", description, examples: [example] });

const model = {
  base_url: Type.String({
    maxLength: 2000,
    description: "A service with the chat completions of OpenAI: its root, its /v1, or the whole path",
    examples: ["https://models.harbour.example/v1"],
  }),
  name: Text(200, "Name of the model there", "small-1"),
  max_tokens: Type.Optional(
    Type.Integer({
      minimum: 16,
      maximum: 32_000,
      description: `Length of an answer at most. Default: ${MAX_TOKENS}`,
      examples: [800],
    }),
  ),
  temperature: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 2,
      description: "How freely it chooses words. Default: that of the service",
      examples: [0.2],
    }),
  ),
};
const ApiKey = nullable(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: "^[\\x21-\\x7e]+$",
    description:
      "The key of the service: never shown again. Without one, that of the version before, if its base_url is the same; null for none",
    examples: ["mk-1234567890"],
  }),
);

const content = {
  engine: Type.Enum([...ENGINES], {
    type: "string",
    description: "What decides: playbook; llm, a model; or hybrid, the playbook with a model that finds words and meanings",
    examples: ["playbook"],
  }),
  playbook: Type.Optional(Playbook),
  instructions: Type.Optional(
    Text(20_000, "What the model is told: who it is, what it does, how it writes", "Be brief and kind."),
  ),
  tools: Type.Optional(
    Type.Record(Type.String({ pattern: "^[a-z_]{1,40}$" }), Type.Enum(["auto", "approve", "off"], { type: "string" }), {
      ...closed,
      maxProperties: 30,
      description:
        "Policies of tools that are not auto: the use of one with approve waits for somebody who approves it; one that is off is refused to the agent",
      examples: [{ create_deal: "approve" }],
    }),
  ),
  knowledge: Type.Optional(
    Type.Array(SourceKey, {
      maxItems: 200,
      uniqueItems: true,
      description: "The keys of the knowledge sources that it looks things up in. Default: all of the account",
      examples: [[]],
    }),
  ),
  targets: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }),
      Type.Object(
        {
          url: Type.String({
            maxLength: 2000,
            description: "Gets a POST with JSON",
            examples: ["https://calendar.harbour.example/slots"],
          }),
        },
        { ...closed, title: "AgentTarget" },
      ),
      { ...closed, maxProperties: 20, description: "What http_request can call, by name", examples: [{}] },
    ),
  ),
};

/** What a version has besides its number. */
export const VersionContent = Type.Object(
  { ...content, model: Type.Optional(Type.Object(model, { ...closed, title: "AgentModel" })) },
  { ...closed, title: "AgentVersionContent", description: "What an agent says and does" },
);
export type VersionContent = Type.Static<typeof VersionContent>;

/** The content as its author sends it, with the key of its model. */
export const ContentInput = Type.Object(
  {
    ...content,
    model: Type.Optional(Type.Object({ ...model, api_key: Type.Optional(ApiKey) }, { ...closed, title: "AgentModelInput" })),
  },
  { ...closed, title: "AgentVersionContentInput", description: "What an agent says and does" },
);
export type ContentInput = Type.Static<typeof ContentInput>;

const Note = nullable(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: "\\S",
    description: "What has changed",
    examples: ["Asks for the budget"],
  }),
);

export const VersionCreate = Type.Object(
  { content: ContentInput, note: Type.Optional(Note) },
  { ...closed, title: "AgentVersionCreate" },
);
export type VersionCreate = Type.Static<typeof VersionCreate>;

const By = (what: string) =>
  Type.String({ description: `Key or user that ${what} it`, examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] });

const shown = {
  agent_id: Id("agent"),
  number: Type.Integer({ minimum: 1, description: "Number of the version, from 1 on", examples: [1] }),
  sha256: Type.String({ description: "Hash of the content in its canonical form (RFC 8785)" }),
  note: Note,
  api_key_set: Type.Boolean({ description: "Whether it has the key of a model", examples: [false] }),
  created_by: By("created"),
  created_at: Time,
  updated_at: Time,
  published_by: nullable(By("published")),
  published_at: nullable(
    Type.String({ ...Time, description: "When it was published last. From then on its content never changes" }),
  ),
};

export const AgentVersion = Type.Object(shown, { ...closed, title: "AgentVersion" });
export type VersionShown = Type.Static<typeof AgentVersion>;
export const AgentVersionWhole = Type.Object({ ...shown, content: VersionContent }, { ...closed, title: "AgentVersionWhole" });
export type VersionWhole = Type.Static<typeof AgentVersionWhole>;

export const VersionListQuery = Type.Object(page, closed);
export type VersionListQuery = Type.Static<typeof VersionListQuery>;
export const AgentVersionList = listOf(AgentVersion, "AgentVersionList");

const VersionNumber = (description: string) => Type.Integer({ minimum: 1, maximum: 999_999_999, description, examples: [1] });

export const Publication = Type.Object(
  { version: VersionNumber("Number of the version"), note: Type.Optional(Note) },
  { ...closed, title: "AgentPublication" },
);
export type Publication = Type.Static<typeof Publication>;

export const Rollback = Type.Object(
  { version: VersionNumber("Number of a version that was published before") },
  { ...closed, title: "AgentRollback" },
);
export type Rollback = Type.Static<typeof Rollback>;

export const DiffQuery = Type.Object(
  {
    from: Type.Optional(VersionNumber("The older version. Default: the published one, else the one before to")),
    to: Type.Optional(VersionNumber("The newer version. Default: the newest")),
  },
  closed,
);
export type DiffQuery = Type.Static<typeof DiffQuery>;

export const AgentDiff = Type.Object(
  {
    agent_id: Id("agent"),
    from: Type.Integer({ minimum: 0, description: "0 where there is nothing to compare with" }),
    to: Type.Integer({ minimum: 1 }),
    changes: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: "JSON pointer into the content", examples: ["/playbook/states/hello/say"] }),
          from: Type.Unknown({ description: "Value before; null where there was none" }),
          to: Type.Unknown({ description: "Value after; null where it is gone" }),
        },
        { ...closed, title: "AgentDiffChange" },
      ),
    ),
  },
  { ...closed, title: "AgentDiff" },
);
