import { ActorName, closed, FreeText, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { AccountId } from "../../../accounts/custom-fields/index.ts";
import { KINDS } from "../../channels/index.ts";
import { AUTHOR_TYPES, MESSAGE_KINDS, MESSAGE_STATUSES, PURPOSES } from "./model.ts";

const Text = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: "^[^\\u0000]*\\S[^\\u0000]*$",
  description: "1 to 10,000 characters, not whitespace only; a channel may allow fewer",
  examples: ["Yes, Friday at ten is fine."],
});
const Html = Type.String({
  minLength: 1,
  maxLength: 100_000,
  pattern: "^[^\\u0000]*$",
  description: "The text as HTML, on channels that have it",
  examples: ["<p>Yes, Friday at ten is fine.</p>"],
});
const MessageSubject = FreeText(200, "Of an e-mail", "Appointment on Friday");
const Purpose = Type.Enum([...PURPOSES], {
  description: "marketing needs the consent of the person. Default: conversational",
  examples: ["conversational"],
});
const Vars = Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }), Type.String({ maxLength: 1000 }), {
  ...closed,
  maxProperties: 50,
  description: "Values of the placeholders {{vars.<name>}} of the template",
  examples: [{ day: "Friday" }],
});
const TemplateId = Type.String({
  ...Id("message_template"),
  description: "The template that is sent, instead of a text",
  examples: ["tpl_01jd3k5y5cf7m8n9p0q1r2s3t4"],
});
const ClientMessageId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_.:-]+$",
  description: "Your own id of the message: a repeated one answers the first message",
  examples: ["web-4711"],
});

/** What a message that begins a conversation has. */
export const firstMessage = {
  text: Type.Optional(Text),
  template_id: Type.Optional(TemplateId),
  vars: Type.Optional(Vars),
  purpose: Type.Optional(Purpose),
};

export const MessageCreate = Type.Object(
  {
    ...firstMessage,
    html: Type.Optional(Html),
    subject: Type.Optional(MessageSubject),
    attachment_ids: Type.Optional(
      Type.Array(Id("attachment"), {
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        description: "Files that were uploaded before",
      }),
    ),
    scheduled_at: Type.Optional(
      Type.String({
        ...Time,
        description: "When it is to be sent, a time in the future",
        examples: ["2030-12-24T09:30:00.000Z"],
      }),
    ),
    client_message_id: Type.Optional(ClientMessageId),
    owner_token: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "Of the conversation as the writer saw it: if its owner has changed since, the message is refused",
        examples: [1],
      }),
    ),
    keep_owner: Type.Optional(
      Type.Boolean({
        description: "true leaves the conversation to its owner. By default whoever answers takes it over from an agent",
      }),
    ),
    channel: Type.Optional(
      Type.Enum([...KINDS], { description: "The kind of channel of the conversation; any other is refused", examples: ["sms"] }),
    ),
  },
  { ...closed, title: "MessageCreate", description: "Has a text, a template_id or attachment_ids" },
);
export type MessageCreate = Type.Static<typeof MessageCreate>;

export const NoteCreate = Type.Object({ text: Text }, { ...closed, title: "ConversationNoteCreate" });
export type NoteCreate = Type.Static<typeof NoteCreate>;

const Author = Type.Object(
  {
    type: Type.Enum([...AUTHOR_TYPES], { description: "contact is the person, a lead too" }),
    id: Type.String({ examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
    name: ActorName,
  },
  closed,
);

export const MessageAttachment = Type.Object(
  {
    id: Id("attachment"),
    name: Type.String({ examples: ["invoice.pdf"] }),
    media_type: Type.String({ examples: ["application/pdf"] }),
    bytes: Type.Integer({ minimum: 0 }),
  },
  closed,
);

export const Message = Type.Object(
  {
    id: Id("message"),
    account_id: AccountId,
    conversation_id: Id("conversation"),
    channel_id: Id("channel"),
    ordinal: Type.Integer({ minimum: 1, description: "Its place in the conversation, without gaps" }),
    direction: Type.Enum(["in", "out"], { description: "in: from the person" }),
    kind: Type.Enum([...MESSAGE_KINDS], { description: "A note and an event are for the team alone" }),
    author: Author,
    subject: nullable(Type.String()),
    text: Type.String(),
    html: nullable(Type.String()),
    attachments: Type.Array(MessageAttachment),
    dropped_attachments: Type.Integer({
      minimum: 0,
      description: "How many files the person sent that could not be kept: too large, or not to be had from the provider",
    }),
    status: nullable(Type.Enum([...MESSAGE_STATUSES], { description: "Goes forward only; null for notes and events" })),
    status_at: Time,
    error: nullable(
      Type.Object(
        {},
        { additionalProperties: true, description: "Why it failed", examples: [{ code: "21211", detail: "Not a number" }] },
      ),
    ),
    provider_id: nullable(Type.String({ description: "Its id at the provider" })),
    client_message_id: nullable(ClientMessageId),
    purpose: Purpose,
    template_id: nullable(Id("message_template")),
    automatic: Type.Boolean({ description: "Whether a machine wrote it" }),
    retry_of: nullable(Type.String({ ...Id("message"), description: "The message that it repeats" })),
    event: nullable(
      Type.Object({}, { additionalProperties: true, description: "What an event tells", examples: [{ type: "closed" }] }),
    ),
    scheduled_at: nullable(Time),
    created_at: Time,
    version: Version,
  },
  { ...closed, title: "Message" },
);

export const MessageList = listOf(Message, "MessageList");

export const MessageListQuery = Type.Object(
  {
    ...page,
    kind: Type.Optional(
      Type.Array(Type.Enum([...MESSAGE_KINDS], { type: "string" }), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description: "Any of these. Default: all",
      }),
    ),
  },
  closed,
);
export type MessageListQuery = Type.Static<typeof MessageListQuery>;

const Image = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: "Which of the images in `html` with a `data-src`, counted from 1" }),
    media_type: nullable(Type.String({ examples: ["image/png"] })),
    content: nullable(Type.String({ description: "The image in base64; null where it could not be loaded" })),
    error: nullable(Type.String({ description: "Why not, in a sentence" })),
  },
  closed,
);

export const MessageImages = Type.Object({ images: Type.Array(Image) }, { ...closed, title: "MessageImages" });
export type MessageImage = Type.Static<typeof Image>;

export const PreviewRequest = Type.Object(
  { contact_id: Type.Optional(Id("contact")), lead_id: Type.Optional(Id("lead")), vars: Type.Optional(Vars) },
  { ...closed, title: "TemplatePreviewRequest" },
);
export type PreviewRequest = Type.Static<typeof PreviewRequest>;

export const Preview = Type.Object(
  {
    subject: nullable(Type.String()),
    text: Type.String({ description: "With placeholders where a value is missing" }),
    missing: Type.Array(Type.String({ examples: ["vars.day"] }), {
      description: "Placeholders without a value and without a default: a message would be refused",
    }),
  },
  { ...closed, title: "TemplatePreview" },
);
