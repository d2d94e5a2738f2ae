import { Type } from "typebox";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";

const Body = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: "\\S",
  description: "1 to 10,000 characters, not only blanks",
  examples: ["Called, asked for an offer."],
});

export const NoteBody = Type.Object({ body: Body }, { ...closed, title: "NoteBody" });

export const Note = Type.Object(
  {
    id: Id("note"),
    record_id: Type.String({
      description: "the record that it was written beside",
      examples: ["con_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    body: Body,
    author_id: Type.String({ description: "the key or the user that wrote it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
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
    id: Id("audit"),
    at: Time,
    type: Type.Enum(["change", "note", "consent", "merge"]),
    action: Type.String({ description: "What was done, as the audit log names it", examples: ["contacts.update"] }),
    actor: Type.Object(
      { type: Type.String({ examples: ["key"] }), id: Type.String({ examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }) },
      closed,
    ),
    record_id: Note.properties.record_id,
    changes: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "What changed; personal values are only named",
          examples: [{ name: "redacted" }],
        },
      ),
    ),
    note: nullable(Type.String({ description: "The note as it is now; null when it is gone or there was none" })),
  },
  { ...closed, title: "TimelineEntry" },
);

export const Timeline = listOf(Entry, "Timeline");
