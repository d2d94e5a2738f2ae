import { createHash, createHmac } from "node:crypto";
import { timeOfId } from "../../../../kernel/ids.ts";
import type { Exchange, HttpSender } from "../../../../platform/net/http-sender.ts";
import type { Check, Media, Net, OpenChannel, Outgoing, RawRequest, Sent } from "../adapter.ts";
import {
  type Codes,
  call,
  checkOf,
  failureOf,
  loadFile,
  objectsOf,
  type Refused,
  readObject,
  sameText,
  succeeded,
  textOf,
} from "../provider.model.ts";

/** Where an account of Twilio's API, or of one that speaks like it, is reached. */
export type Line = { http: HttpSender; base_url: string; account_sid: string; auth_token: string; from: string };

/** Twilio's codes that say more than the status of HTTP. */
export const TWILIO_CODES: Codes = {
  20003: "config",
  20005: "config",
  20404: "config",
  20429: "passing",
  20500: "passing",
  20503: "passing",
  21211: "permanent",
  21212: "config",
  21408: "permanent",
  21603: "config",
  21606: "config",
  21610: "opted_out",
  21612: "permanent",
  21614: "permanent",
  21617: "permanent",
  21659: "config",
  21660: "config",
  30001: "passing",
  30002: "config",
  30003: "permanent",
  30004: "permanent",
  30005: "permanent",
  30006: "permanent",
  30007: "permanent",
  30008: "permanent",
};

const accountUrl = ({ base_url, account_sid }: Line) => `${base_url.replace(/\/+$/, "")}/2010-04-01/Accounts/${account_sid}`;

const authorization = ({ account_sid, auth_token }: Line) => ({
  authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString("base64")}`,
});

function refusedOf({ text }: Exchange): Refused {
  const { code, message } = readObject(text);
  return { code: textOf(code, 20) ?? null, detail: textOf(message, 300) ?? null };
}

/** Where the provider reports what became of a message: the address names it. */
export function statusUrl({ token }: Pick<OpenChannel, "token">, message_id: string, base_url: string): string {
  return `${base_url}/hooks/${token}?message=${message_id}`;
}

/** With files it is an MMS: the provider fetches them. */
export async function sendMessage(line: Line, message: Outgoing, status_url: string, net: Net): Promise<Sent> {
  const { id, to, text, attachments } = message;
  const sender: Record<string, string> = /^MG/.test(line.from) ? { MessagingServiceSid: line.from } : { From: line.from };
  const form = new URLSearchParams({ To: to, ...sender, Body: text, StatusCallback: status_url });
  for (const file of attachments) form.append("MediaUrl", file.link());
  const exchange = await call(line.http, {
    url: `${accountUrl(line)}/Messages.json`,
    headers: { ...authorization(line), "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  if (!succeeded(exchange)) return failureOf(exchange, refusedOf(exchange), TWILIO_CODES, to, net);
  return { result: "accepted", provider_id: textOf(readObject(exchange.text).sid, 100) ?? id };
}

/** A file of a message that came in. The credentials are for the provider alone. */
export async function fetchMedia(line: Line, { url = "" }: Media, bytes_max: number): Promise<Buffer | null> {
  if (!URL.canParse(url)) return null;
  const own = new URL(url).origin === new URL(line.base_url).origin;
  return loadFile(line.http, { url, headers: own ? authorization(line) : {}, bytes_max });
}

/**
 * Looks for a message among those that the provider has of its recipient: the same text and number of files, made no earlier than the message. Twilio keeps
 * nothing of ours that it would give back here. Its times are in whole seconds.
 */
export async function findMessage(line: Line, message: Outgoing): Promise<"sent" | "absent" | "unknown"> {
  const { id, to, text, attachments } = message;
  const query = new URLSearchParams({ To: to, PageSize: "50" });
  const exchange = await call(line.http, { url: `${accountUrl(line)}/Messages.json?${query}`, headers: authorization(line) });
  const { messages } = readObject(exchange.text);
  if (!succeeded(exchange) || !Array.isArray(messages)) return "unknown";
  const earliest_ms = Math.floor(timeOfId(id) / 1000) * 1000;
  const found = objectsOf(messages).some(
    ({ body, direction, date_created, num_media = attachments.length }) =>
      body === text &&
      Number(num_media) === attachments.length &&
      direction !== "inbound" &&
      Date.parse(String(date_created)) >= earliest_ms,
  );
  return found ? "sent" : "absent";
}

export async function checkAccount(line: Line): Promise<Check> {
  const exchange = await call(line.http, { url: `${accountUrl(line)}.json`, headers: authorization(line) });
  const status = textOf(readObject(exchange.text).status, 50);
  if (succeeded(exchange) && status !== undefined && status !== "active")
    return { ok: false, code: "account_inactive", detail: `The provider says that the account is ${status}.` };
  return checkOf(exchange, refusedOf(exchange), "The provider knows the account, and it is active.");
}

/** HMAC-SHA1 under the auth token over the address and, of a form, its parameters in the order of their names. */
export function twilioSignature(auth_token: string, url: string, form: URLSearchParams | null): string {
  const names = [...new Set(form?.keys() ?? [])].toSorted();
  const values = (name: string) => [...new Set(form?.getAll(name) ?? [])].toSorted();
  const signed = url + names.flatMap((name) => values(name).map((value) => name + value)).join("");
  return createHmac("sha1", auth_token).update(signed).digest("base64");
}

/** Whether a request is signed with the auth token. A body that is no form is signed by its hash in the query. */
export function isFromTwilio(auth_token: string, { headers, url, body }: RawRequest): boolean {
  const hash = url.searchParams.get("bodySHA256");
  if (hash !== null && !sameText(hash, createHash("sha256").update(body).digest("hex"))) return false;
  const form = hash === null ? new URLSearchParams(body.toString("utf8")) : null;
  return sameText(headers["x-twilio-signature"] ?? "", twilioSignature(auth_token, url.href, form));
}
