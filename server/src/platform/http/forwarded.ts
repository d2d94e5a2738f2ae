import { BlockList, isIP, isIPv4 } from "node:net";
import { LruMap } from "../db/lru.ts";
import { plainAddress } from "../net/address.ts";

/** So many proxies stand in a row at most; a longer chain is not followed further. */
const HOPS_MAX = 20;
/** The longest value that can be an address: IPv6 in brackets, with a zone and a port. */
const VALUE_MAX = 100;
const KNOWN_MAX = 1_000;

/** The address of a client, from the address of the connection and X-Forwarded-For. */
export type ReadForwarded = (peer: string, header: string | string[] | undefined) => string;

/**
 * Reads X-Forwarded-For from the right: each proxy appends the address that it was called from, so a value is believed only if the hop
 * after it is trusted. The first address that is not a trusted proxy is the client. A value that is not an address ends the search at
 * the last hop that was believed, because nothing to its left can be.
 */
export function createForwardedReader(trusted: readonly string[]): ReadForwarded {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address = "", length = ""] = network.split("/");
    proxies.addSubnet(address, Number(length), isIPv4(address) ? "ipv4" : "ipv6");
  }
  const isListed = (address: string) => isIP(address) !== 0 && proxies.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  // A few proxies forward all requests, and a look into the list is expensive.
  const known = new LruMap<boolean>(KNOWN_MAX);
  const isTrusted = (address: string) => known.getOrMake(address, isListed);
  return (peer, header) => {
    const values = Array.isArray(header) ? header.join(",") : (header ?? "");
    let client = peer;
    let end = values.length;
    for (let hops = 0; hops < HOPS_MAX && end > 0 && isTrusted(client); hops += 1) {
      const start = values.lastIndexOf(",", end - 1) + 1;
      const address = forwardedAddressOrNull(values.slice(start, end));
      if (address === null) return client;
      client = address;
      end = start - 1;
    }
    return client;
  };
}

/** The address of a value, which may have a port: `203.0.113.7:49152`, `[2001:db8::7]:443`. */
function forwardedAddressOrNull(value: string): string | null {
  if (value.length > VALUE_MAX) return null;
  const text = value.trim();
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  return plainAddress(bracketed ?? withPort ?? text);
}
