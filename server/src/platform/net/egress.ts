import { promises as dns, type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isDeniedAddress, isMetadataAddress } from "./address.ts";

/** Allowed destinations: public https addresses only, or any but those of a cloud's metadata, for development. */
export type EgressPolicy = "strict" | "development";

const DEFAULT_PORTS = [443];

/** Whether the port of a URL is allowed; it is empty for that of https. */
export function isAllowedPort(port: string, allowed: readonly number[] = DEFAULT_PORTS): boolean {
  return allowed.includes(port === "" ? 443 : Number(port));
}

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** The reason why a connection is not allowed, as a sentence. */
export class EgressRefused extends Error {}

/** Checks destinations at the moment of the connection. */
export type Egress = {
  policy: EgressPolicy;
  /** Refuses a URL that is never allowed. Node does not resolve literal addresses, so those are checked here. */
  checkUrl(url: URL): void;
  /** Resolves a name for a socket and returns only allowed addresses, so the name cannot be rebound in between. */
  lookup: LookupFunction;
  /** The first allowed address of a name, for connections that are made to an address alone. */
  addressOf(host: string): Promise<string>;
  /** Refuses the address of an open connection. */
  checkPeer(host: string, address: string | undefined): void;
};

export function createEgress(
  policy: EgressPolicy,
  resolve: Resolve = policy === "strict" ? resolveByDns : resolveBySystem,
  ports: readonly number[] = DEFAULT_PORTS,
): Egress {
  const denies = (address: string) => isMetadataAddress(address) || (policy === "strict" && isDeniedAddress(address));

  async function allowedAddresses(host: string): Promise<LookupAddress[]> {
    const found = await resolve(host);
    const allowed = found.filter(({ address }) => !denies(address));
    const [first] = found;
    if (allowed.length > 0) return allowed;
    throw new EgressRefused(first === undefined ? `the name ${host} has no address` : privateAddress(host, first.address));
  }

  return {
    policy,
    checkUrl({ protocol, hostname, port }) {
      const host = hostname.replace(/^\[|\]$/g, "");
      if (protocol !== "https:" && (policy === "strict" || protocol !== "http:")) {
        throw new EgressRefused(`the address begins with ${protocol}// and only https:// is allowed`);
      }
      if (policy === "strict" && !isAllowedPort(port, ports)) throw new EgressRefused(`the port ${port} is not allowed`);
      if (isIP(host) !== 0 && denies(host)) throw new EgressRefused(privateAddress(host, host));
    },
    lookup(host, options, callback) {
      allowedAddresses(host).then(
        (addresses) => {
          const fitting = addresses.filter(({ family }) => !options.family || options.family === family);
          const [first] = fitting;
          if (options.all === true) callback(null, fitting);
          else if (first === undefined) callback(new EgressRefused(`the name ${host} has no address`), "");
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
    },
    async addressOf(host) {
      if (isIP(host) === 0) return (await allowedAddresses(host))[0]?.address ?? "";
      if (denies(host)) throw new EgressRefused(privateAddress(host, host));
      return host;
    },
    checkPeer(host, address) {
      if (denies(address ?? "")) throw new EgressRefused(privateAddress(host, address ?? "unknown"));
    },
  };
}

function privateAddress(host: string, address: string): string {
  return host === address ? `the address ${address} is private` : `the address ${address} of ${host} is private`;
}

const servers = new dns.Resolver({ timeout: 2_000, tries: 2 });

/**
 * Queries the name servers directly: the system resolver uses four threads that the whole process shares, so a few
 * names with dead servers would block all others.
 */
async function resolveByDns(host: string): Promise<LookupAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)]);
  if (ipv4.status === "rejected" && ipv6.status === "rejected") throw ipv4.reason;
  const addresses = (answer: PromiseSettledResult<string[]>, family: 4 | 6) =>
    answer.status === "rejected" ? [] : answer.value.map((address) => ({ address, family }));
  return [...addresses(ipv4, 4), ...addresses(ipv6, 6)];
}

/** Also resolves names of this machine and its network. */
function resolveBySystem(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}
