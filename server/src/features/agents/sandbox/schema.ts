import { closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { TOOLS } from "../engine/index.ts";
import { Hit } from "../knowledge/index.ts";
import { Usage } from "../sessions/index.ts";

const open = (description: string, example: object = {}) =>
  Type.Object({}, { additionalProperties: true, description, examples: [example] });
const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] });

const Person = Type.Object(
  {
    name: Type.Optional(Text(200, "Name", "Ada Okafor")),
    phone: Type.Optional(Text(40, "Phone number", "+4915112345678")),
    email: Type.Optional(Text(254, "E-mail address", "ada@harbour.example")),
    company: Type.Optional(Text(200, "Company", "Harbour Dental")),
    tags: Type.Optional(Type.Array(Text(50, "Tag", "vip"), { maxItems: 50 })),
    status: Type.Optional(Text(20, "Status of a lead", "new")),
  },
  { ...closed, title: "SandboxPerson" },
);

const World = Type.Object(
  {
    contact_id: Type.Optional(Type.String({ ...Id("contact"), description: "The contact that the agent talks with" })),
    lead_id: Type.Optional(Type.String({ ...Id("lead"), description: "The lead that it talks with" })),
    fixtures: Type.Optional(
      Type.Object(
        { contact: Type.Optional(Person), lead: Type.Optional(Person) },
        { ...closed, title: "SandboxFixtures", description: "People who do not exist, or have other values here" },
      ),
    ),
    now: Type.Optional(Type.String({ ...Time, description: "The time of the run. Default: now" })),
    hours: Type.Optional(
      Type.Enum(["open", "closed"], { type: "string", description: "Whether the channel is within its hours. Default: open" }),
    ),
  },
  { ...closed, title: "SandboxWorld", description: "What the agent sees. Default: somebody of whom nothing is known" },
);

const Mock = Type.Object(
  {
    tool: Type.String({
      maxLength: 40,
      description: `One of ${Object.keys(TOOLS).join(", ")}, or model: what the model says`,
      examples: ["http_request"],
    }),
    when: Type.Optional(open("Members that the arguments have to have", { name: "slots" })),
    return: Type.Optional(
      Type.Unknown({ description: "What the tool answers. Default: {}", examples: [{ status: 200, body: { first: "noon" } }] }),
    ),
    error: Type.Optional(
      Type.Object(
        { code: Type.Optional(Text(100, "Code", "timeout")), detail: Text(500, "What the tool says", "Nobody is there.") },
        { ...closed, description: "A refusal, instead of an answer" },
      ),
    ),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "How often. Default: always", examples: [1] })),
  },
  { ...closed, title: "SandboxMock" },
);

const expected = Type.Optional(Type.Boolean({ description: "false: it must not. Default: true", examples: [true] }));
const Assertion = Type.Union(
  [
    Type.Object(
      {
        type: Type.Literal("tool_called"),
        tool: Type.String({ maxLength: 40, examples: ["add_tag"] }),
        args: Type.Optional(open("Members that the arguments have", { tag: "hot" })),
        value: expected,
      },
      closed,
    ),
    Type.Object(
      { type: Type.Literal("text_matches"), phrase: Text(100, "Words; * is any one word", "call you"), value: expected },
      closed,
    ),
    Type.Object({ type: Type.Literal("handed_off"), value: Type.Boolean({ examples: [true] }) }, closed),
    Type.Object(
      {
        type: Type.Literal("slot"),
        slot: Text(40, "Slot", "email"),
        value: Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()], {
          examples: ["ada@harbour.example"],
        }),
      },
      closed,
    ),
    Type.Object({ type: Type.Literal("effect"), kind: Text(40, "Kind of the effect", "lead.update"), value: expected }, closed),
  ],
  { title: "SandboxAssertion", description: "What the run has to show" },
);

export const SandboxRequest = Type.Object(
  {
    version: Type.Optional(
      Type.Union([Type.Enum(["draft", "published"], { type: "string" }), Type.Integer({ minimum: 1, maximum: 999_999_999 })], {
        description: "draft (the newest), published or a number. Default: the published one, else the draft",
        examples: ["draft"],
      }),
    ),
    mode: Type.Optional(
      Type.Enum(["turn", "script"], {
        type: "string",
        description: "script: each message is a turn; turn: all messages are one. Default: script",
        examples: ["script"],
      }),
    ),
    messages: Type.Array(
      Type.Object(
        { role: Type.Optional(Type.Literal("contact")), text: Text(4000, "What the person writes", "Hello") },
        { ...closed, title: "SandboxMessage" },
      ),
      { minItems: 1, maxItems: 50, description: "What the person writes, in its order" },
    ),
    world: Type.Optional(World),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }), Type.String({ maxLength: 1000 }), {
        ...closed,
        maxProperties: 50,
        description: "The values of {{vars.…}}",
        examples: [{ city: "Berlin" }],
      }),
    ),
    mocks: Type.Optional(Type.Array(Mock, { maxItems: 50, description: "What tools answer; the first that fits" })),
    unmocked: Type.Optional(
      Type.Enum(["simulate", "error"], {
        type: "string",
        description: "What tools that write or call others do without a mock: they pretend, or refuse. Default: simulate",
        examples: ["simulate"],
      }),
    ),
    assert: Type.Optional(Type.Array(Assertion, { maxItems: 50 })),
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "Chooses among variants: the same seed, the same words. The id of a session repeats its choices",
        examples: ["7"],
      }),
    ),
    continue_from: Type.Optional(Type.String({ ...Id("sandbox_run"), description: "Goes on where another run ended" })),
  },
  { ...closed, title: "SandboxRequest" },
);
export type SandboxRequest = Type.Static<typeof SandboxRequest>;

export const RUN_STATUSES = ["passed", "failed", "completed", "error", "timed_out"] as const;

const shown = {
  id: Id("sandbox_run"),
  account_id: AccountId,
  agent_id: Id("agent"),
  agent_version: Type.Integer({ minimum: 1, description: "Number of the version that ran" }),
  status: Type.Enum([...RUN_STATUSES], {
    type: "string",
    description: "passed or failed by its assertions; completed without any",
    examples: ["passed"],
  }),
  created_by: Type.String({ description: "Key or user that started it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
};

export const SandboxRunListed = Type.Object(shown, { ...closed, title: "SandboxRunListed" });

const Change = Type.Object(
  {
    kind: Type.String({ description: "What would happen, such as lead.update", examples: ["lead.update"] }),
    target: Type.String({ description: "The record; new ones have no id yet" }),
    before: Type.Unknown({ description: "The values before; null where there were none" }),
    after: Type.Unknown({ description: "The values after" }),
  },
  { ...closed, title: "SandboxEffect" },
);

const SandboxHit = Type.Object({ ...Hit.properties, turn: Type.Integer({ minimum: 1 }) }, { ...closed, title: "SandboxHit" });

export const SandboxRun = Type.Object(
  {
    ...shown,
    transcript: Type.Array(
      Type.Object(
        {
          role: Type.Enum(["contact", "agent", "event"], { type: "string" }),
          text: Type.String(),
          turn: Type.Integer({ minimum: 1 }),
          spoke: Type.Optional(Type.Enum(["playbook", "model"], { type: "string", description: "Whose words the agent's are" })),
        },
        { ...closed, title: "SandboxSaid" },
      ),
    ),
    tool_calls: Type.Array(
      Type.Object(
        {
          turn: Type.Integer({ minimum: 1 }),
          name: Type.String({ examples: ["update_lead"] }),
          args: open("Arguments"),
          valid: Type.Boolean({ description: "Whether the arguments fit the tool" }),
          source: Type.Enum(["mock", "simulated", "read"], { type: "string", description: "Where the answer came from" }),
          result: open("What the tool answered"),
        },
        { ...closed, title: "SandboxToolCall" },
      ),
    ),
    hits: Type.Array(SandboxHit, { description: "What was found in the knowledge: [n] is the n-th of its turn" }),
    effects: Type.Array(Change, { description: "What would have happened, in its order. Nothing of it has" }),
    assertions: Type.Array(
      Type.Object({ assertion: open("The assertion"), passed: Type.Boolean() }, { ...closed, title: "SandboxAsserted" }),
    ),
    slots: open("What the person has answered, by slot"),
    usage: nullable(Usage),
    isolation: Type.Object(
      {
        process: Type.Literal("own"),
        network: Type.Enum(["namespace", "disabled"], { type: "string" }),
        login: Type.Enum(["shared", "own"], {
          type: "string",
          description: "The database login of the reads, all in a read-only transaction",
        }),
        live_writes: Type.Literal(0),
        blocked: Type.Array(Type.String(), { description: "What the process tried and was refused" }),
      },
      { ...closed, title: "SandboxIsolation" },
    ),
    error: nullable(Type.String({ description: "Why it could not run to its end" })),
  },
  { ...closed, title: "SandboxRun" },
);

export const SandboxListQuery = Type.Object(
  {
    ...page,
    status: Type.Optional(
      Type.Array(Type.Enum([...RUN_STATUSES], { type: "string", examples: ["failed"] }), {
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
        description: "With any of these",
      }),
    ),
  },
  closed,
);
export type SandboxListQuery = Type.Static<typeof SandboxListQuery>;
export const SandboxRunList = listOf(SandboxRunListed, "SandboxRunList");
