import { idPattern, type Kind, kindName } from "../../kernel/ids.ts";
import { CENTS_MAX } from "../../kernel/money.ts";
import { LIMIT_MAX } from "../../kernel/page.ts";
import { type TSchema, Type } from "./type.ts";

/** A closed object: no members beyond those declared. */
export const closed = { additionalProperties: false } as const;

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The name that goes with the id of a key or a user: `actor.name`, `moved_by_name`. */
export const ActorName = nullable(
  Type.String({
    description: "The current name of the key or user; null for the service itself, the operator, and once removed",
    examples: ["Nora Lindqvist"],
  }),
);

export const Id = (kind: Kind) => Type.String({ pattern: idPattern(kind), description: `Id of the ${kindName(kind)}` });

export const Time = Type.String({
  format: "date-time",
  description: "RFC 3339 timestamp, such as 2026-11-02T09:30:00Z",
  examples: ["2026-11-02T09:30:00.000Z"],
});

export const Day = Type.String({ format: "date", description: "Date, such as 2026-11-02", examples: ["2026-11-02"] });

export const Version = Type.Integer({
  minimum: 1,
  description: "Version of the resource, incremented by each change; part of the ETag",
});

/** An amount for each of some currencies, in its minor unit. */
export const CentsByCurrency = (description: string) =>
  Type.Record(
    Type.String({ pattern: "^[a-z]{3}$" }),
    Type.Integer({ minimum: 1, maximum: CENTS_MAX, description: "In minor units" }),
    {
      ...closed,
      propertyNames: { format: "currency" },
      maxProperties: 200,
      description,
      examples: [{ usd: 10_000 }],
    },
  );

/** A parameter with any text that the database can store. */
export const FreeText = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: FREE_TEXT, description, examples: [example] });

export const FREE_TEXT = "^[^\\u0000\\n]*$";

/** The parameters of every list. */
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: "Page size. Default: 25", examples: [25] })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: "The next_cursor of the previous page" })),
};

/** The start of a page of a feed. */
export const After = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: "The next_cursor of the previous page, or end for new items only. Default: the oldest item",
});

/** A range of time, as lists and feeds have it. */
export const CreatedWithin = {
  created_after: Type.Optional(Type.String({ ...Time, description: "From this time on, inclusive, in RFC 3339" })),
  created_before: Type.Optional(Type.String({ ...Time, description: "Before this time, in RFC 3339" })),
};

/** A page of a list. */
export const listOf = <T extends TSchema>(item: T, title: string) =>
  Type.Object({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: nullable(Type.String()) }, { ...closed, title });

/** A page of a feed: its cursor is never null, so that a poller keeps its position. */
export const feedOf = <T extends TSchema>(item: T, title: string) =>
  Type.Object({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.String() }, { ...closed, title });
