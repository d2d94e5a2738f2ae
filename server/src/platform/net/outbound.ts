import { createEgress, type EgressPolicy, EgressRefused, type Resolve } from "./egress.ts";
import { createHttpSender, type HttpSender } from "./http-sender.ts";
import { createImageLoader, type LoadImage } from "./images.ts";
import { createMailReach, type ReachMail } from "./mail-host.ts";

export type OutboundOptions = {
  egress: EgressPolicy;
  egress_ports?: readonly number[] | undefined;
  baseUrl(): string;
  /** For tests: another name resolver. */
  resolve?: Resolve | undefined;
};

/**
 * How requests and background work reach the world: `http` where the egress allows it, `own` this service itself and nothing else,
 * `mail` the servers of e-mail. `image` loads images over `http`, and keeps them for a while.
 */
export type Outbound = { http: HttpSender; own: HttpSender; mail: ReachMail; image: LoadImage; close(): void };

export function createOutbound({ egress, egress_ports, baseUrl, resolve }: OutboundOptions): Outbound {
  const allowed = createEgress(egress, resolve, egress_ports);
  const http = createHttpSender(allowed);
  const open = createEgress("development");
  const own = createHttpSender({
    ...open,
    checkUrl(url) {
      if (url.origin !== new URL(baseUrl()).origin)
        throw new EgressRefused(`the address ${url.origin} is not that of this service`);
    },
  });
  return {
    http,
    own,
    mail: createMailReach(allowed),
    image: createImageLoader(http),
    close() {
      http.close();
      own.close();
    },
  };
}
