import { ApiError, type Problem, UnexpectedReply } from "@tributary/sdk";
import { BASE } from "./base.ts";
import { send } from "./send.ts";

/** Paths that are for people who are not signed in: a 401 there is an answer, not a reason to ask. */
const OPEN = /^\/(session($|\/(link|confirm)$)|password-resets|invitations\/(look|accept))/;

/** A path below /portal/api: what only people have, such as their session. No document describes these to programs. */
export async function portal<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await (OPEN.test(path) ? fetch : send)(`${BASE}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  if (response.status === 204) return undefined as Reply;
  const text = await response.text();
  const document = parse(text);
  if (document === null) throw new UnexpectedReply(response, text);
  if (!response.ok) throw new ApiError(document as Problem & Record<string, unknown>, response);
  return document as Reply;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
