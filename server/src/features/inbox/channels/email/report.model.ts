import type { Attachment, Email } from "postal-mime";
import type { IncomingStatus } from "../adapter.ts";
import { textOf } from "../provider.model.ts";

const PART_BYTES_MAX = 64 * 1024;
/** Where a report has the mail that it is about, or the headers of it. */
const ORIGINALS = new Set([
  "message/rfc822",
  "message/rfc822-headers",
  "text/rfc822-headers",
  "message/global",
  "message/global-headers",
]);
const STATUSES = new Map<string, IncomingStatus["status"]>([
  ["failed", "failed"],
  ["delivered", "delivered"],
]);

/**
 * What a delivery report says of one of our messages: nothing while it is only delayed. Null if the mail is no report of one of ours.
 * `ourMessage` gives the id of the message that a Message-ID names.
 */
export function reportsOf(email: Email, at: Date, ourMessage: (message_id: string) => string | null): IncomingStatus[] | null {
  const report = email.attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType));
  if (report === undefined) return null;
  const original = email.attachments.filter(({ mimeType }) => ORIGINALS.has(mimeType)).map(beginningOf);
  const named = original.map((text) => field(text, "message-id") ?? "");
  const provider_id = [...named, ...(email.references ?? "").split(/\s+/), email.inReplyTo ?? ""].find(
    (id) => ourMessage(id) !== null,
  );
  if (provider_id === undefined) return null;
  const text = beginningOf(report);
  const status = STATUSES.get(field(text, "action")?.toLowerCase() ?? "");
  if (status === undefined) return [];
  const message_id = ourMessage(provider_id) ?? "";
  const code = textOf(field(text, "status"), 20) ?? "bounced";
  const said = textOf(field(text, "diagnostic-code")?.replaceAll(/[^\s<>]+@[^\s<>]+/g, "the recipient"), 300);
  const failure = { code, detail: said ?? "The mail server of the recipient returned the message." };
  return [{ type: "status", provider_id, message_id, status, at, ...(status === "failed" ? failure : {}) }];
}

function beginningOf({ content }: Attachment): string {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content as Uint8Array);
  return bytes
    .subarray(0, PART_BYTES_MAX)
    .toString("utf8")
    .replaceAll(/\r?\n[ \t]+/g, " ");
}

/** A field of a part of header lines. */
function field(text: string, name: string): string | null {
  return new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(text)?.[1]?.trim() ?? null;
}
