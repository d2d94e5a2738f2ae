import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";

/** What was tried and refused. */
export const blocked: string[] = [];

function refuse(what: string): (...args: unknown[]) => never {
  return () => {
    blocked.push(what);
    throw new Error(`The sandbox has neither a network nor other processes: ${what}.`);
  };
}

/**
 * Takes the network away from a process: the permission model of Node leaves sockets open. HTTP, TLS and fetch stand on these. Where the
 * system allows it, the process has a network namespace of its own as well, which has no interfaces. Signals could end the service.
 */
export function goOffline(): void {
  net.Socket.prototype.connect = refuse("connect") as never;
  net.Server.prototype.listen = refuse("listen") as never;
  dgram.createSocket = refuse("udp") as never;
  process.kill = refuse("kill") as never;
  for (const name of Object.keys(dns) as (keyof typeof dns)[]) {
    if (/^(lookup|resolve|reverse)/.test(name)) Object.assign(dns, { [name]: refuse("dns") });
  }
}
