import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Networks outside the public internet: loopback, private, unroutable, and those that embed another address. */
const DENIED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * Only 2000::/3 is allocated to the public internet. Everything else is denied: loopback, link-local, unique local,
 * multicast, NAT64 (64:ff9b::), discard and segment routing. So are documentation, Teredo and 6to4 within it; the last two
 * embed an IPv4 address that would not be checked.
 */
const DENIED_IPV6 = ["::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/**
 * Where machines of AWS, Google, Azure, Oracle, Alibaba, Tencent, DigitalOcean and others ask for their own credentials. Denied under
 * every policy: nothing that a service sends to belongs there.
 */
const METADATA_IPV4 = ["168.63.129.16/32", "169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32"];
const METADATA_IPV6 = ["fd00:ec2::/32", "fd20:ce::/32", "fe80::a9fe:a9fe/128"];

const metadata = { ipv4: blockList(METADATA_IPV4, "ipv4"), ipv6: blockList(METADATA_IPV6, "ipv6") };
const denied = { ipv4: blockList(DENIED_IPV4, "ipv4"), ipv6: blockList(DENIED_IPV6, "ipv6") };

function blockList(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length = ""] = network.split("/");
    list.addSubnet(address, Number(length), family);
  }
  return list;
}

/** Whether an address is denied, in any notation. Text that is not an address is denied too. */
export function isDeniedAddress(ip: string): boolean {
  return isListed(ip, denied) ?? true;
}

/** Whether an address is that of a cloud's metadata, in any notation. */
export function isMetadataAddress(ip: string): boolean {
  return isListed(ip, metadata) ?? false;
}

/** Whether a list has an address; null if it is none. */
function isListed(ip: string, list: typeof denied): boolean | null {
  const [address = ""] = ip.replace(/^\[|\]$/g, "").split("%");
  if (isIPv4(address)) return list.ipv4.check(address, "ipv4");
  if (!isIPv6(address)) return null;
  const mapped = mappedIPv4OrNull(address);
  return mapped === null ? list.ipv6.check(address, "ipv6") : list.ipv4.check(mapped, "ipv4");
}

/** An address in the form of the database: IPv4-mapped ones as IPv4, IPv6 normalised and without a zone; null if it is none. */
export function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const [address = ""] = text.split("%");
  if (!isIPv6(address)) return null;
  return mappedIPv4OrNull(address) ?? new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** The IPv4 address of an IPv4-mapped one. URL normalises every notation to one. */
function mappedIPv4OrNull(address: string): string | null {
  const groups = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname);
  if (groups === null) return null;
  const bytes = groups.slice(1).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  return bytes.join(".");
}
