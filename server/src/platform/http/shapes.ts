import { type TSchema, Type } from "typebox";
import { idPattern, type Kind } from "../../kernel/ids.ts";
import { LIMIT_MAX } from "../../kernel/page.ts";

/** A schema takes and gives exactly the members it names. */
export const closed = { additionalProperties: false } as const;

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Id = (kind: Kind) => Type.String({ pattern: idPattern(kind), description: `the id of a ${kind}` });

export const Time = Type.String({
  format: "date-time",
  description: "a time in RFC 3339, such as 2026-11-02T09:30:00Z",
  examples: ["2026-11-02T09:30:00.000Z"],
});

export const Day = Type.String({ format: "day", description: "a day such as 2026-11-02", examples: ["2026-11-02"] });

export const Version = Type.Integer({ minimum: 1, description: "Counts the changes; the ETag is made of it" });

/** A parameter that may be any text a database holds. */
export const FreeText = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: FREE_TEXT, description, examples: [example] });

export const FREE_TEXT = "^[^\\u0000\\n]*$";

/** The parameters of every list. */
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: "how many, 25 unless told", examples: [25] })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: "next_cursor of the page before" })),
};

/** Where a stretch of a feed begins. */
export const After = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: "next_cursor of the stretch before, or end for what comes next",
});

/** A page of a list. */
export const listOf = <T extends TSchema>(item: T, title: string) =>
  Type.Object({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: nullable(Type.String()) }, { ...closed, title });

/** A stretch of a feed: its cursor is never null, so that a poller keeps its place. */
export const feedOf = <T extends TSchema>(item: T, title: string) =>
  Type.Object({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.String() }, { ...closed, title });
