import { randomBytes } from "node:crypto";
import type { ChannelKind } from "../../channels/index.ts";

/** Names a conversation in what comes back to it, such as an address for answers: 80 bits, in lower case for the sake of mail. */
export function newReplyToken(): string {
  return randomBytes(10).toString("hex");
}

/** What the database can store of a text from outside. */
export function storable(text: string, length_max: number): string {
  return text.replaceAll("\0", "").slice(0, length_max).toWellFormed();
}

/** The source of a lead that wrote first. */
export const LEAD_SOURCES = {
  webchat: "chat",
  email: "email",
  sms: "sms",
  whatsapp: "chat",
  api: "api",
  simulator: "sms",
} as const satisfies Record<ChannelKind, string>;

export type Keyword = "stop" | "start" | "help";

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  STOP: "stop",
  STOPALL: "stop",
  UNSUBSCRIBE: "stop",
  CANCEL: "stop",
  END: "stop",
  QUIT: "stop",
  START: "start",
  UNSTOP: "start",
  HELP: "help",
};

/** What a message says that is a keyword and nothing else. */
export function keywordOf(text: string): Keyword | null {
  return KEYWORDS[text.trim().toUpperCase()] ?? null;
}
