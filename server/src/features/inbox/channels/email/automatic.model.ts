import type { Email } from "postal-mime";

const BULK = new Set(["bulk", "list", "junk", "auto_reply"]);
const MACHINES = /^(no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer-daemon|postmaster|bounces?|listserv|majordomo)([-_.+=]|@|$)/i;

/**
 * What shows that a machine wrote a mail; null if nothing does. Such a mail is kept, and never answered automatically: machines that
 * answer each other do not stop.
 */
export function automaticSign({ headers, from, returnPath }: Email, envelope_from: string | null, origin: string | null) {
  const header = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? null;
  const submitted = header("auto-submitted");
  if (submitted !== null && submitted.split(";")[0]?.trim() !== "no") return "auto_submitted";
  if (BULK.has(header("precedence") ?? "")) return "precedence";
  if (["list-id", "list-unsubscribe", "list-post"].some((name) => header(name) !== null)) return "list";
  if (["x-autoreply", "x-autorespond", "x-auto-response-suppress"].some((name) => header(name) !== null)) return "auto_response";
  // Without an envelope, the mailbox has noted the sender of it as the return path.
  const path = envelope_from ?? returnPath ?? header("return-path");
  if (path !== null && path.replaceAll(/[<>\s]/g, "") === "") return "empty_return_path";
  if (MACHINES.test(from?.address ?? "")) return "no_reply_sender";
  return origin === null ? null : "channel";
}
