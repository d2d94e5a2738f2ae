import { isId } from "../../../../kernel/ids.ts";
import { readPhone } from "../../../../kernel/phone.ts";
import type { Incoming, IncomingStatus, Media, ProviderReply, RawRequest } from "../adapter.ts";
import { textOf } from "../provider.model.ts";
import { TWILIO_CODES } from "./wire.ts";

/** What Twilio's statuses are here. Before it is sent, nothing changes. */
const STATUSES: Readonly<Record<string, IncomingStatus["status"]>> = {
  sent: "sent",
  delivered: "delivered",
  read: "read",
  undelivered: "failed",
  failed: "failed",
};

const TEXT_MAX = 10_000;

/** A message of a person, or the status of one of ours: a request of Twilio is one or the other. */
export function parseTwilio({ url, body, at }: RawRequest): Incoming[] {
  const form = new URLSearchParams(body.toString("utf8"));
  const field = (name: string, length_max?: number) => textOf(form.get(name), length_max);
  const provider_id = field("MessageSid", 100) ?? field("SmsSid", 100);
  if (provider_id === undefined) return [];
  const status = field("MessageStatus");
  if (status !== undefined) return statusOf(provider_id, status, field("ErrorCode", 20), url, at);
  const from = field("From", 100);
  if (from === undefined) return [];
  const media = mediaOf(field);
  // A short number or the name of a company is an address, but no phone of a person.
  const { phone } = readPhone(from);
  const name = field("ProfileName", 200);
  return [
    {
      type: "message",
      provider_id,
      from: phone ?? from,
      profile: { ...(phone === null ? {} : { phone }), ...(name === undefined ? {} : { name }) },
      text: field("Body", TEXT_MAX) ?? "",
      attachments: [],
      at,
      ...(media.length === 0 ? {} : { media }),
    },
  ];
}

/** What was sent along, by the addresses where the provider has it. */
function mediaOf(field: (name: string, length_max?: number) => string | undefined): Media[] {
  const count = Math.min(Number(field("NumMedia", 2) ?? 0) || 0, 10);
  return Array.from({ length: count }, (_, index) => ({
    url: field(`MediaUrl${index}`, 2048) ?? "",
    media_type: field(`MediaContentType${index}`, 100) ?? null,
    name: null,
  }));
}

function statusOf(provider_id: string, said: string, code: string | undefined, url: URL, at: Date): Incoming[] {
  const status = STATUSES[said];
  if (status === undefined) return [];
  const message_id = url.searchParams.get("message") ?? "";
  return [
    {
      type: "status",
      provider_id,
      status,
      at,
      ...(isId("message", message_id) ? { message_id } : {}),
      ...(status !== "failed" ? {} : { code: code ?? said, detail: `The provider says that the message is ${said}.` }),
      ...(TWILIO_CODES[code ?? ""] === "opted_out" ? { opted_out: true } : {}),
    },
  ];
}

/** Nothing is said back at once: answers are sent as messages. */
export const EMPTY_TWIML: ProviderReply = {
  status: 200,
  type: "text/xml; charset=utf-8",
  text: '<?xml version="1.0" encoding="UTF-8"?><Response></Response>',
};
