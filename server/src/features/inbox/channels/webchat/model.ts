import { createHmac } from "node:crypto";
import { fail } from "../../../../kernel/errors.ts";
import { newId } from "../../../../kernel/ids.ts";
import type { Signer } from "../../../../platform/crypto/sign.ts";
import { sameText } from "../provider.model.ts";
import type { WebchatChannel, WebchatSecrets } from "./adapter.ts";

const DAY_MS = 86_400_000;
/** A token lasts this long after the visitor was last there. */
export const VISITOR_TOKEN_MS = 90 * DAY_MS;

/** Somebody on a page: a stranger with an id of ours, or a user of the account's own site. */
export type Visitor = { address: string; external_id: string };

const USER = "user:";

export const newVisitor = (at: Date): Visitor => visitorOf(newId("visitor", at.getTime()));
export const visitorOfUser = (user_id: string): Visitor => visitorOf(USER + user_id);

/** The visitor of an address in conversations. */
export function visitorOf(address: string): Visitor {
  return { address, external_id: address.startsWith(USER) ? address.slice(USER.length) : address };
}

const purposeOf = ({ id }: Pick<WebchatChannel, "id">) => `chat ${id}`;
const epochOf = ({ config }: Pick<WebchatChannel, "config">) => config.epoch ?? 0;

/** What a visitor carries and brings back: whose it is, until when, and our signature over it, the channel and its epoch. */
export function newVisitorToken(signer: Signer, channel: WebchatChannel, { address }: Visitor, now: Date) {
  const expires_at = new Date(now.getTime() + VISITOR_TOKEN_MS);
  const signed = [Buffer.from(address).toString("base64url"), epochOf(channel), Math.floor(expires_at.getTime() / 1000)].join(
    ".",
  );
  return { token: `${signed}.${signer.sign(signed, purposeOf(channel))}`, expires_at };
}

const TOKEN = /^([A-Za-z0-9_-]{1,700})\.(\d{1,7})\.(\d{1,12})\.([A-Za-z0-9_-]{22})$/;

/** The visitor that a token is of; null for one that is forged, of another channel or epoch, or too old. */
export function readVisitorToken(signer: Signer, channel: WebchatChannel, token: string, now: Date): Visitor | null {
  const [, address = "", epoch = "", expires_s = "", mac = ""] = TOKEN.exec(token) ?? [];
  if (!signer.verify(`${address}.${epoch}.${expires_s}`, purposeOf(channel), mac)) return null;
  if (Number(epoch) !== epochOf(channel) || Number(expires_s) * 1000 <= now.getTime()) return null;
  return visitorOf(Buffer.from(address, "base64url").toString("utf8"));
}

/** Whether the account's own site says that somebody is its user: HMAC-SHA256 of the id under the identity secret, in hex. */
export function isIdentified({ secrets }: WebchatChannel, user_id: string, hash: string): boolean {
  // A channel that a snapshot brought has no secrets at first.
  const { identity_secret } = secrets as Partial<WebchatSecrets>;
  if (identity_secret === undefined) return false;
  return sameText(hash.toLowerCase(), createHmac("sha256", identity_secret).update(user_id).digest("hex"));
}

/** What browsers say about the page that sends a request. No page can set them itself. */
export type Sender = { origin: string | undefined; site: string | undefined };

/** Refuses pages that the channel does not list. Our own pages are always allowed. */
export function requireOrigin({ config }: WebchatChannel, { origin, site }: Sender, base_url: string): void {
  const own = site === "same-origin" || origin === new URL(base_url).origin;
  if (own || (origin !== undefined && config.origins?.includes(origin))) return;
  fail("origin_not_allowed", {
    detail: `${(origin ?? "A request without an origin").slice(0, 300)} is not in the origins of the channel.`,
  });
}
