import { cycle } from "./requests.ts";
import type { FloorRow } from "./rows.ts";
import { raiseLimits } from "./seed.ts";
import type { Stage } from "./stage.ts";

const LINKS = 200;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Links are followed through a proxy, so that every visitor has an address, and its own limit. */
export const LINK_SETTINGS = { TRUSTED_PROXIES: "127.0.0.1/32" };

/** Links of the partner, made as users make them. Returns their codes. */
export async function seedLinks({ secrets, owner }: Stage): Promise<string[]> {
  await raiseLimits(owner, secrets.partner_id);
  const headers = { authorization: `Bearer ${secrets.api_key}`, "content-type": "application/json" };
  const body = JSON.stringify({ destination_url: "https://shop.example/pricing", campaign: "Bench" });
  const codes: string[] = [];
  for (let index = 0; index < LINKS; index += 1) {
    const reply = await fetch(`${secrets.base_url}/v1/partners/affiliate-links`, { method: "POST", headers, body });
    const { code } = (await reply.json()) as { code?: string };
    if (code === undefined) throw new Error(`a link was not made: ${reply.status}`);
    codes.push(code);
  }
  await owner.query("vacuum analyze link_codes");
  return codes;
}

let visitors = 0;

/** A click of another visitor each time. */
function clickBytes(code: string): Buffer {
  visitors += 1;
  const address = `198.${18 + ((visitors >> 16) & 1)}.${(visitors >> 8) & 255}.${visitors & 255}`;
  return Buffer.from(
    `GET /r/${code} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${BROWSER}\r\nreferer: https://news.example/letter\r\nx-forwarded-for: ${address}\r\n\r\n`,
  );
}

export function linkRows(codes: readonly string[]): FloorRow[] {
  const nextCode = cycle(codes);
  return [{ name: "follow an affiliate link", goal: 0.8, floor: "follow-link", nextRequest: () => clickBytes(nextCode()) }];
}
