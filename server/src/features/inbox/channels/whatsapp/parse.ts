import { createHmac } from "node:crypto";
import { isId } from "../../../../kernel/ids.ts";
import { readPhone } from "../../../../kernel/phone.ts";
import type { Incoming, IncomingMessage, IncomingStatus, RawRequest } from "../adapter.ts";
import { objectOf, objectsOf, readObject, sameText, textOf } from "../provider.model.ts";
import { WHATSAPP_CODES } from "./wire.ts";

const TEXT_MAX = 10_000;
const STATUSES = new Set<string>(["sent", "delivered", "read", "failed"] satisfies IncomingStatus["status"][]);

/** Whether the body is signed with the secret of the app. */
export function isFromWhatsApp(app_secret: string, { headers, body }: RawRequest): boolean {
  const expected = `sha256=${createHmac("sha256", app_secret).update(body).digest("hex")}`;
  return sameText(headers["x-hub-signature-256"] ?? "", expected);
}

/** Whether a GET asks for its challenge with the token that the channel has. */
export function isSubscription(verify_token: string, { url }: RawRequest): boolean {
  const { searchParams } = url;
  return searchParams.get("hub.mode") === "subscribe" && sameText(searchParams.get("hub.verify_token") ?? "", verify_token);
}

/** The messages and statuses of one phone number: an app may send those of several to the same address. */
export function parseWhatsApp(phone_number_id: string, { body, at }: RawRequest): Incoming[] {
  const values = objectsOf(readObject(body.toString("utf8")).entry)
    .flatMap(({ changes }) => objectsOf(changes))
    .filter(({ field }) => field === "messages")
    .map(({ value }) => objectOf(value))
    .filter(({ metadata }) => textOf(objectOf(metadata).phone_number_id) === phone_number_id);
  return values.flatMap(({ contacts, messages, statuses }) => {
    const names = new Map(objectsOf(contacts).map(({ wa_id, profile }) => [textOf(wa_id), textOf(objectOf(profile).name, 200)]));
    return [
      ...objectsOf(messages).flatMap((message) => messageOf(message, names, at)),
      ...objectsOf(statuses).flatMap((status) => statusOf(status, at)),
    ];
  });
}

type Json = ReturnType<typeof objectOf>;

function messageOf(message: Json, names: ReadonlyMap<string | undefined, string | undefined>, now: Date): IncomingMessage[] {
  const { id, from, type, timestamp } = message;
  const provider_id = textOf(id, 200);
  const sender = textOf(from, 20);
  if (provider_id === undefined || sender === undefined || !/^\d+$/.test(sender)) return [];
  // What happens to the thread, such as a changed number, and reactions are nothing that somebody says.
  if (type === "system" || type === "reaction") return [];
  const name = names.get(sender);
  const { phone } = readPhone(`+${sender}`);
  const address = phone ?? `+${sender}`;
  return [
    {
      type: "message",
      provider_id,
      from: address,
      profile: { ...(phone === null ? {} : { phone }), ...(name === undefined ? {} : { name }) },
      text: wordsOf(message),
      attachments: [],
      at: timeOf(timestamp, now),
      ...mediaOf(message),
    },
  ];
}

/** What a message says: its text, the button that was pressed, the caption of a file, or which kind of thing it is. */
function wordsOf(message: Json): string {
  const type = textOf(message.type, 40) ?? "unknown";
  const content = objectOf(message[type]);
  const { button_reply, list_reply } = content;
  const said = content.body ?? content.text ?? content.caption ?? objectOf(button_reply).title ?? objectOf(list_reply).title;
  return textOf(said, TEXT_MAX) ?? `[${type}]`;
}

/** What was sent along, by the id that WhatsApp has for it. */
function mediaOf(message: Json): Pick<IncomingMessage, "media"> {
  const content = objectOf(message[textOf(message.type, 40) ?? ""]);
  const id = textOf(content.id, 200);
  if (id === undefined) return {};
  return {
    media: [{ id, media_type: textOf(content.mime_type, 100) ?? null, name: textOf(content.filename, 200) ?? null }],
  };
}

function statusOf(said: Json, now: Date): IncomingStatus[] {
  const provider_id = textOf(said.id, 200);
  const status = textOf(said.status, 20) ?? "";
  if (provider_id === undefined || !STATUSES.has(status)) return [];
  const message_id = textOf(said.biz_opaque_callback_data, 100) ?? "";
  const [error] = objectsOf(said.errors);
  const code = textOf(error?.code, 20);
  return [
    {
      type: "status",
      provider_id,
      status: status as IncomingStatus["status"],
      at: timeOf(said.timestamp, now),
      ...(isId("message", message_id) ? { message_id } : {}),
      ...(code === undefined ? {} : { code, detail: textOf(error?.title, 300) ?? "WhatsApp gives no reason." }),
      ...(WHATSAPP_CODES[code ?? ""] === "opted_out" ? { opted_out: true } : {}),
    },
  ];
}

/** Seconds since 1970 as a text. What is no such time, or one to come, is now. */
function timeOf(timestamp: unknown, now: Date): Date {
  const seconds = textOf(timestamp, 20) ?? "";
  return /^\d{9,11}$/.test(seconds) ? new Date(Math.min(Number(seconds) * 1000, now.getTime())) : now;
}
