import { isIPv4, isIPv6 } from "node:net";

/** Whether PostgreSQL accepts it as a cidr: an address and a prefix length, with no bits set after the prefix. */
export function isCidr(text: string): boolean {
  const [, address = "", length = ""] = /^([0-9a-fA-F:.]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const bits = isIPv4(address) ? bitsOfIPv4(address) : isIPv6(address) ? bitsOfIPv6(address) : null;
  return bits !== null && Number(length) <= bits.length && !bits.slice(Number(length)).includes("1");
}

/** The network that an address counts for: an IPv4 address itself, of IPv6 the /64 that one customer has whole. */
export function networkOf(address: string): string {
  return address.includes(":") ? `${groupsOfIPv6(address).slice(0, 4).join(":")}::/64` : address;
}

function bitsOfIPv4(address: string): string {
  return address
    .split(".")
    .map((byte) => Number(byte).toString(2).padStart(8, "0"))
    .join("");
}

function bitsOfIPv6(address: string): string {
  return groupsOfIPv6(address)
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0"))
    .join("");
}

/** URL normalises every notation of an address to one: hexadecimal groups, with the longest run of zeros compressed. */
function groupsOfIPv6(address: string): string[] {
  const [left = "", right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, after] = [groupsOf(left), groupsOf(right ?? "")];
  const zeros = Array.from({ length: right === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after];
}
