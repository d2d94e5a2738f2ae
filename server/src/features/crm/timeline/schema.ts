import { ActorName, closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

const Body = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: "\\S",
  description: "1 to 10,000 characters, not whitespace only",
  examples: ["Called and requested a quote."],
});

export const NoteBody = Type.Object({ body: Body }, { ...closed, title: "NoteBody" });

export const Note = Type.Object(
  {
    id: Id("note"),
    record_id: Type.String({
      description: "The record that the note was added to",
      examples: ["con_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    body: Body,
    author_id: Type.String({
      description: "The key or the user that created the note",
      examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    author_name: ActorName,
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Note" },
);

export const PageQuery = Type.Object(page, closed);
export type PageQuery = Type.Static<typeof PageQuery>;

export const NoteList = listOf(Note, "NoteList");

const Entry = Type.Object(
  {
    id: Type.String({
      description: "Of the audit entry, the message or the payment",
      examples: ["aud_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    at: Time,
    type: Type.Enum(["change", "note", "consent", "merge", "message", "payment"]),
    action: Type.String({
      description: "The action, as in the audit log; conversations.receive for what the person wrote",
      examples: ["contacts.update"],
    }),
    actor: Type.Object(
      {
        type: Type.String({ examples: ["key"] }),
        id: Type.String({ examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
        name: ActorName,
      },
      closed,
    ),
    record_id: Note.properties.record_id,
    changes: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "What changed. Personal values are redacted",
          examples: [{ name: "redacted" }],
        },
      ),
    ),
    note: nullable(Type.String({ description: "The current text of the note; null if it was deleted or the entry has none" })),
    message: nullable(
      Type.Object(
        {
          conversation_id: Id("conversation"),
          channel_kind: Type.String({ examples: ["sms"] }),
          direction: Type.Enum(["in", "out"], { description: "in: from the person" }),
          subject: nullable(Type.String()),
          text: Type.String({ description: "Its first 500 characters" }),
          status: Type.String({ description: "As it is now", examples: ["delivered"] }),
        },
        { ...closed, title: "TimelineMessage", description: "What was written to or by the person" },
      ),
    ),
    payment: nullable(
      Type.Object(
        {
          payment_link_id: Id("payment_link"),
          amount_cents: Type.Integer({ description: "In minor units", examples: [14_280] }),
          tip_cents: Type.Integer({ examples: [0] }),
          refunded_cents: Type.Integer({ description: "What was returned of it by now", examples: [0] }),
          currency: Type.String({ examples: ["eur"] }),
          status: Type.String({ description: "As it is now", examples: ["succeeded"] }),
          receipt_number: Type.String({ examples: ["R-000118"] }),
        },
        { ...closed, title: "TimelinePayment", description: "What the person has paid" },
      ),
    ),
  },
  { ...closed, title: "TimelineEntry" },
);

export const Timeline = listOf(Entry, "Timeline");
