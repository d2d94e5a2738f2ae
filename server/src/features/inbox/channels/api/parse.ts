import { fail } from "../../../../kernel/errors.ts";
import { idPattern } from "../../../../kernel/ids.ts";
import {
  ownSignature,
  signatureHeaderName,
  standardSignature,
  TOLERANCE_SECONDS,
} from "../../../../platform/crypto/webhook-signature.ts";
import { parseBody } from "../../../../platform/http/body.ts";
import { closed, FREE_TEXT, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { compile } from "../../../../platform/http/validation.ts";
import type { Incoming, RawRequest } from "../adapter.ts";
import { sameText } from "../provider.model.ts";

const ITEMS_MAX = 100;

const Line = (maxLength: number) => Type.Optional(Type.String({ minLength: 1, maxLength, pattern: FREE_TEXT }));
const Text = (maxLength: number) => Type.String({ maxLength, pattern: "^[^\\u0000]*$" });

const Message = Type.Object(
  {
    type: Type.Literal("message"),
    id: Type.String({ minLength: 1, maxLength: 200, pattern: FREE_TEXT }),
    from: Type.String({ minLength: 1, maxLength: 200, pattern: FREE_TEXT }),
    thread: Line(200),
    name: Line(200),
    email: Line(254),
    phone: Line(30),
    external_id: Line(200),
    subject: Line(500),
    text: Text(100_000),
    html: Type.Optional(Text(500_000)),
    automatic: Type.Optional(Type.Boolean()),
    at: Type.Optional(Time),
  },
  closed,
);
const Status = Type.Object(
  {
    type: Type.Literal("status"),
    id: Line(200),
    message_id: Type.String({ pattern: idPattern("message") }),
    status: Type.Enum(["sent", "delivered", "read", "failed"], { type: "string" }),
    code: Line(50),
    detail: Line(300),
    at: Type.Optional(Time),
  },
  closed,
);
type Item = Type.Static<typeof Message> | Type.Static<typeof Status>;

const checks = { message: compile(Message, "body"), status: compile(Status, "body") };

/** Whether a request carries our webhook signature, in either of its formats, and a time of the last minutes. */
export function isSigned(secret: string, { headers, body, at, brand }: RawRequest): boolean {
  const isNow = (seconds: string) =>
    /^\d{1,12}$/.test(seconds) && Math.abs(at.getTime() / 1000 - Number(seconds)) <= TOLERANCE_SECONDS;
  const own = headers[signatureHeaderName(brand).toLowerCase()];
  if (own !== undefined) {
    const parts = own.split(",").map((part) => part.split("=", 2));
    const seconds = parts.find(([name]) => name === "t")?.[1] ?? "";
    const expected = ownSignature(secret, seconds, body);
    return isNow(seconds) && parts.some(([name, value = ""]) => name === "v1" && sameText(value, expected));
  }
  const { "webhook-id": id = "", "webhook-timestamp": seconds = "", "webhook-signature": signatures = "" } = headers;
  const expected = `v1,${standardSignature(secret, id, seconds, body)}`;
  return isNow(seconds) && signatures.split(" ").some((signature) => sameText(signature, expected));
}

/** One item, or a list of them. A program of the account's own is told what is wrong with it, by its place in the list. */
export function parseItems({ body, at }: RawRequest): Incoming[] {
  const value = parseBody(body);
  const items = Array.isArray(value) ? value : [value];
  if (items.length > ITEMS_MAX) fail("validation_failed", { detail: `A request has at most ${ITEMS_MAX} items.` });
  return items.map((item: unknown) => incomingOf(checked(item), at));
}

function checked(item: unknown): Item {
  const type = (item as { type?: unknown } | null)?.type;
  if (type !== "message" && type !== "status") fail("validation_failed", { detail: "type must be message or status." });
  checks[type](item);
  return item as Item;
}

function incomingOf(item: Item, now: Date): Incoming {
  const at = item.at === undefined ? now : new Date(item.at);
  if (item.type === "status") return { ...item, provider_id: item.id ?? item.message_id, at };
  const { id, from, thread, name, email, phone, external_id, subject, text, html, automatic } = item;
  return {
    type: "message",
    provider_id: id,
    from,
    profile: { external_id: external_id ?? from, ...present({ name, email, phone }) },
    text,
    attachments: [],
    at,
    ...present({ thread, subject, html, automatic }),
  };
}

/** The members that have a value. */
function present<T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
