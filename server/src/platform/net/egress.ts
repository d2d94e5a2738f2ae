import { promises as dns, type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isDeniedAddress } from "./address.ts";

/** Where we may connect to: public https addresses only, or anywhere, for development. */
export type EgressPolicy = "strict" | "development";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** Says in a sentence why an address is not connected to. */
export class Refused extends Error {}

/** Decides what may be connected to, at the moment it is. */
export type Egress = {
  policy: EgressPolicy;
  /** Refuses an address that may not even be tried. Node asks no resolver for a literal, so those are looked at here. */
  vetUrl(url: URL): void;
  /** Resolves a name for a socket and leaves only addresses that may be dialled: nothing can change in between. */
  lookup: LookupFunction;
  /** Refuses the other end of a connection, whatever led there. */
  vetPeer(host: string, address: string | undefined): void;
};

export function createEgress(policy: EgressPolicy, resolve: Resolve = policy === "strict" ? askServers : askSystem): Egress {
  const denies = (address: string) => policy === "strict" && isDeniedAddress(address);

  async function vettedAddresses(host: string): Promise<LookupAddress[]> {
    const found = await resolve(host);
    const vetted = found.filter(({ address }) => !denies(address));
    const [first] = found;
    if (vetted.length > 0) return vetted;
    throw new Refused(first === undefined ? `the name ${host} has no address` : privateAddress(host, first.address));
  }

  return {
    policy,
    vetUrl({ protocol, hostname }) {
      const host = hostname.replace(/^\[|\]$/g, "");
      if (protocol !== "https:" && (policy === "strict" || protocol !== "http:")) {
        throw new Refused(`the address begins with ${protocol}// and only https:// is allowed`);
      }
      if (isIP(host) !== 0 && denies(host)) throw new Refused(privateAddress(host, host));
    },
    lookup(host, options, callback) {
      vettedAddresses(host).then(
        (addresses) => {
          const fitting = addresses.filter(({ family }) => !options.family || options.family === family);
          const [first] = fitting;
          if (options.all === true) callback(null, fitting);
          else if (first === undefined) callback(new Refused(`the name ${host} has no address`), "");
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
    },
    vetPeer(host, address) {
      if (denies(address ?? "")) throw new Refused(privateAddress(host, address ?? "unknown"));
    },
  };
}

function privateAddress(host: string, address: string): string {
  return host === address ? `the address ${address} is private` : `the address ${address} of ${host} is private`;
}

const servers = new dns.Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name servers ourselves: the system's resolver works in four threads that the whole process shares, so that a
 * few names whose servers are dead would hold up all others.
 */
async function askServers(host: string): Promise<LookupAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)]);
  if (ipv4.status === "rejected" && ipv6.status === "rejected") throw ipv4.reason;
  const addresses = (answer: PromiseSettledResult<string[]>, family: 4 | 6) =>
    answer.status === "rejected" ? [] : answer.value.map((address) => ({ address, family }));
  return [...addresses(ipv4, 4), ...addresses(ipv6, 6)];
}

/** Knows the names of this machine and its network too. */
function askSystem(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}
