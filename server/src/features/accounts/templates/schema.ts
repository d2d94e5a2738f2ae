import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, accountOfNew } from "../custom-fields/index.ts";
import { CHANNELS } from "./model.ts";

export const words = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "^\\S(.*\\S)?$",
    description:
      "1 to 100 characters without leading or trailing whitespace, unique among the templates in use, not case-sensitive",
    examples: ["Welcome"],
  }),
  channel: Type.Enum([...CHANNELS], { description: "The channel that it is written for. Default: any", examples: ["email"] }),
  subject: nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: "^[^\\u0000\\n]*$",
      description: "Subject of an e-mail, with placeholders; for the channels email and any",
      examples: ["Welcome, {{contact.name}}"],
    }),
  ),
  text: Type.String({
    minLength: 1,
    maxLength: 10_000,
    pattern: "^[^\\u0000]*$",
    description:
      "Up to 10,000 characters. Placeholders are {{contact.name}}, {{contact.first_name}}, {{contact.phone}}, {{contact.email}}, {{contact.company}}, {{contact.custom.<key>}}, {{account.name}}, {{deal.name}}, {{deal.stage}} and {{deal.amount}} of the contact's newest open deal, {{link.url}}, {{link.amount}} and {{link.due_on}} of the payment link that is sent, and {{vars.<name>}} for values of the message. A default follows a bar: {{contact.first_name|there}}",
    examples: ["Hello {{contact.name}}, thank you for your call."],
  }),
};

export const ProviderTemplate = nullable(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 512, pattern: "^[a-z0-9_]+$", examples: ["appointment_reminder"] }),
      language: Type.String({ minLength: 2, maxLength: 15, pattern: "^[A-Za-z_]+$", examples: ["en_US"] }),
    },
    {
      ...closed,
      description: "The template that WhatsApp has approved. Its parameters are the placeholders of the text, in their order",
      examples: [{ name: "appointment_reminder", language: "en_US" }],
    },
  ),
);

export const MessageTemplateCreate = Type.Object(
  {
    ...accountOfNew,
    name: words.name,
    channel: Type.Optional(words.channel),
    subject: Type.Optional(words.subject),
    text: words.text,
    provider_template: Type.Optional(ProviderTemplate),
  },
  { ...closed, title: "MessageTemplateCreate" },
);
export type MessageTemplateCreate = Type.Static<typeof MessageTemplateCreate>;

export const MessageTemplatePatch = Type.Partial(
  Type.Object({
    ...words,
    provider_template: ProviderTemplate,
    archived: Type.Boolean({ description: "false restores an archived template" }),
  }),
  { ...closed, title: "MessageTemplatePatch", minProperties: 1 },
);
export type MessageTemplatePatch = Type.Static<typeof MessageTemplatePatch>;

export const MessageTemplate = Type.Object(
  {
    id: Id("message_template"),
    account_id: AccountId,
    ...words,
    provider_template: ProviderTemplate,
    archived: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "MessageTemplate" },
);
export type MessageTemplateShown = Type.Static<typeof MessageTemplate>;

export const MessageTemplateListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    channel: Type.Optional(Type.Enum([...CHANNELS], { description: "Templates for this channel alone", examples: ["sms"] })),
    archived: Type.Optional(Type.Boolean({ description: "true lists archived templates, false (the default) the others" })),
  },
  closed,
);
export type MessageTemplateListQuery = Type.Static<typeof MessageTemplateListQuery>;

export const MessageTemplateList = listOf(MessageTemplate, "MessageTemplateList");
