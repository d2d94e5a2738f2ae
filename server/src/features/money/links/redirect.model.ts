import { isbot } from "isbot";
import { isId, timeOfId } from "../../../kernel/ids.ts";
import type { Signer } from "../../../platform/crypto/sign.ts";
import { LruMap } from "../../../platform/db/lru.ts";
import { codeKey } from "./model.ts";

const PURPOSE = "click";

/** A click as the visitor carries it: `clk_….code.mac`. It proves the link and the time, whether or not the click was stored. */
export function clickToken(signer: Signer, click_id: string, code: string): string {
  const claim = `${click_id}.${code}`;
  return `${claim}.${signer.sign(claim, PURPOSE)}`;
}

export type Click = { id: string; code_key: string; clicked_at: Date };

/** The click that a token proves; null for anything that was not signed here. */
export function clickOf(signer: Signer, token: string): Click | null {
  const [id = "", code = "", mac = "", ...others] = token.split(".");
  const code_key = codeKey(code);
  if (others.length > 0 || code_key === null || !isId("click", id)) return null;
  return signer.verify(`${id}.${code}`, PURPOSE, mac) ? { id, code_key, clicked_at: new Date(timeOfId(id)) } : null;
}

/** What a visitor may add to the destination, by the query of the link. */
const PASSED_ON = ["sub_id", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
const PASSED_MAX = 100;

/**
 * Where a link leads: its destination, as it was stored, with what it does not have yet of sub_id and utm, and with the click. Nothing of
 * the request decides about the host or the path.
 */
export function locationOf(
  { destination_url, campaign }: { destination_url: string; campaign: string | null },
  query: Record<string, unknown>,
  click: string | null,
): string {
  const hash = destination_url.indexOf("#");
  const address = hash === -1 ? destination_url : destination_url.slice(0, hash);
  const start = address.indexOf("?");
  const own = start === -1 ? null : new URLSearchParams(address.slice(start));
  const added: string[] = [];
  for (const name of PASSED_ON) {
    const value = textOf(query[name]) ?? (name === "utm_campaign" ? campaign : null);
    if (value !== null && own?.has(name) !== true) added.push(`${name}=${encodeURIComponent(value)}`);
  }
  if (click !== null) added.push(`click_id=${click}`);
  if (added.length === 0) return destination_url;
  const joint = start === -1 ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${joint}${added.join("&")}${hash === -1 ? "" : destination_url.slice(hash)}`;
}

/** The first value of a parameter, shortened. */
function textOf(value: unknown): string | null {
  const [text] = Array.isArray(value) ? value : [value];
  return typeof text === "string" && text !== "" ? text.slice(0, PASSED_MAX).toWellFormed() : null;
}

type Headers = { "user-agent"?: string | undefined; referer?: string | undefined } & Record<
  string,
  string | string[] | undefined
>;

const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/** Why a request is not a person's click: it comes from a program, or from a browser that loads pages in advance. */
export function botOf(headers: Headers): "agent" | "prefetch" | null {
  for (const name of PREFETCH_HEADERS) {
    const value = headers[name];
    if (value !== undefined && /prefetch|prerender|preview/i.test(String(value))) return "prefetch";
  }
  return isProgram(headers["user-agent"] ?? "") ? "agent" : null;
}

/** Many visitors have the same browser, and to recognise a bot is expensive. What is too long for a browser is not kept. */
const known = new LruMap<boolean>(1_000);
const KNOWN_LENGTH_MAX = 400;

function isProgram(agent: string): boolean {
  return agent === "" || (agent.length > KNOWN_LENGTH_MAX ? isbot(agent) : known.getOrMake(agent, isbot));
}

/** The host of the page that the visitor came from. The rest of its address is nobody's business. */
export function referrerHost({ referer }: Headers): string | null {
  const host = /^https?:\/\/(?:[^/?#@]*@)?([a-z0-9.-]{1,253})(?=[:/?#]|$)/i.exec(referer ?? "")?.[1];
  return host?.toLowerCase() ?? null;
}
