import { closed } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { SLOT_TYPES, TOOLS } from "../engine/index.ts";

const TEXT = "^[^\\u0000]*\\S[^\\u0000]*$";
const Text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 4_000, pattern: TEXT, description, examples: [example] });
/** A text, or variants of it, of which each turn chooses one. */
const Words = (description: string, example: string) =>
  Type.Union([Text(description, example), Type.Array(Text("A variant", example), { minItems: 1, maxItems: 20 })], {
    description,
    examples: [example],
  });
const Name = Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$", examples: ["hello"] });
const Go = Type.String({
  pattern: "^(@handoff|@end|[a-z][a-z0-9_]{0,39})$",
  description: "A state, @handoff to a person, or @end of the session",
  examples: ["@handoff"],
});
const Condition = Type.Object(
  {},
  {
    additionalProperties: true,
    title: "PlaybookCondition",
    description:
      "One of match, a list of phrases; slot with op and value; hours, open or closed; all or any, lists of conditions; not, a condition",
    examples: [{ match: ["human", "real person"] }],
  },
);
const Rule = Type.Object(
  { when: Condition, say: Type.Optional(Words("What to say", "One moment.")), go: Go },
  { ...closed, title: "PlaybookRule" },
);
const Faq = Type.Object(
  {
    min_score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "From which score on something is an answer",
      examples: [0.2],
    }),
  },
  { ...closed, description: "Answers questions from the knowledge of the agent" },
);
const Call = Type.Object(
  {
    tool: Type.String({ maxLength: 40, description: `A tool: ${Object.keys(TOOLS).join(", ")}`, examples: ["add_tag"] }),
    args: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: "Its arguments, with placeholders", examples: [{ tag: "hot" }] },
      ),
    ),
  },
  { ...closed, title: "PlaybookCall" },
);
const State = Type.Object(
  {
    say: Type.Optional(Words("What to say, with placeholders such as {{slot.email}}", "Hi, I am {{agent.name}}.")),
    collect: Type.Optional(
      Type.Array(Name, { maxItems: 20, description: "The slots to ask for, if they are empty", examples: [[]] }),
    ),
    do: Type.Optional(Type.Array(Call, { maxItems: 8, description: "The tools to use, in their order" })),
    faq: Type.Optional(Faq),
    branch: Type.Optional(Type.Array(Rule, { maxItems: 50, description: "The first rule that holds decides", examples: [[]] })),
    go: Go,
  },
  { ...closed, title: "PlaybookState" },
);
const Slot = Type.Object(
  {
    type: Type.Enum([...SLOT_TYPES], { type: "string", description: "What fits", examples: ["email"] }),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, description: "Of a choice" }),
    ),
    min: Type.Optional(Type.Number({ description: "Least number, or length of a text" })),
    max: Type.Optional(Type.Number({ description: "Greatest number, or length of a text" })),
    ask: Words("The question", "Where can we write to you?"),
    retry: Type.Optional(Words("What to say when the answer does not fit", "An address such as ada@harbour.example.")),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: "How often it is asked again. Default: 2" })),
  },
  { ...closed, title: "PlaybookSlot" },
);
const Fallback = Type.Object(
  {
    faq: Type.Optional(Faq),
    say: Words("What to say to what nothing understands", "I did not get that."),
    max: Type.Integer({ minimum: 0, maximum: 10, description: "How often in a row", examples: [2] }),
    go: Go,
  },
  { ...closed, title: "PlaybookFallback" },
);

const EXAMPLE = {
  start: "hello",
  slots: { email: { type: "email", ask: "Where can we write to you?" } },
  interrupts: [{ when: { match: ["human", "real person"] }, go: "@handoff" }],
  states: {
    hello: { say: "Hi, I am {{agent.name}}.", collect: ["email"], go: "save" },
    save: { do: [{ tool: "update_lead", args: { email: "{{slot.email}}" } }], say: "Thank you!", go: "@end" },
  },
  fallback: { say: "I did not get that.", max: 2, go: "@handoff" },
};

export const Playbook = Type.Object(
  {
    start: Name,
    states: Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }), State, {
      ...closed,
      maxProperties: 200,
      description: "The states by name",
    }),
    slots: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }), Slot, {
        ...closed,
        maxProperties: 100,
        description: "What can be asked for, by name",
      }),
    ),
    interrupts: Type.Optional(
      Type.Array(Rule, { maxItems: 50, description: "Looked at before anything else, with every message" }),
    ),
    fallback: Type.Optional(Fallback),
  },
  { ...closed, title: "Playbook", description: "What an agent says and does: docs/agents.md", examples: [EXAMPLE] },
);
