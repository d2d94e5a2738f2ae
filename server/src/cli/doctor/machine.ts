import { createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { Config } from "../../config.ts";
import { localAddress, probeService } from "../service-address.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const ROOT = new URL("../../../../", import.meta.url);
const OLDEST_NODE = [22, 18];

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest_major = 0, oldest_minor = 0] = OLDEST_NODE;
  if (major > oldest_major || (major === oldest_major && minor >= oldest_minor)) return ok("node", `Node ${version}.`);
  return fail(
    "node",
    `Node ${version} is too old.`,
    `Install Node ${OLDEST_NODE.join(".")} or newer; on Linux, npm install includes one.`,
  );
}

/** The stamp names the lock file that the packages were installed from. */
export async function checkPackages(root: URL = ROOT): Promise<Finding> {
  const [lock, stamp] = await Promise.all(
    ["package-lock.json", "node_modules/.installed-lock"].map((file) => readFile(new URL(file, root), "utf8").catch(() => null)),
  );
  if (lock === null || lock === undefined) return ok("packages", "There is no package-lock.json to compare with.");
  const wanted = `${createHash("sha256").update(lock).digest("hex")} ${process.platform} ${process.arch}`;
  if (stamp === wanted) return ok("packages", "The installed packages match package-lock.json.");
  if (stamp === null) {
    return warn(
      "packages",
      "The packages were not installed by npm start or npm test, so they cannot be compared with package-lock.json.",
      "npm ci",
    );
  }
  return fail(
    "packages",
    "The installed packages do not match package-lock.json or this platform.",
    "npm start reinstalls them.",
  );
}

/** Whether the port is free, or the service already listens on it. */
export async function checkPort({ host, port }: Pick<Config, "host" | "port">): Promise<Finding> {
  if (port === 0) return ok("port", "PORT is 0: a free port is used.");
  const code = await listenError(host, port);
  if (code === null) return ok("port", `Port ${port} on ${host} is free.`);
  if (code === "EACCES")
    return fail("port", `Port ${port} needs privileges that this user does not have.`, "Set PORT to one above 1023.");
  if (code !== "EADDRINUSE")
    return fail("port", `The service cannot listen on HOST ${host} (${code}).`, "Set HOST to an address of this machine.");
  const answer = await probeService(localAddress({ host, port }));
  if (answer.kind === "ready") return ok("port", `The service answers on port ${port}.`);
  if (answer.kind === "not_ready") {
    return warn("port", `The service on port ${port} is not ready: ${answer.detail}`, "Wait for it, or check its log.");
  }
  return fail("port", `Port ${port} on ${host} is used by another program.`, `Set PORT to a free one, or stop that program.`);
}

function listenError(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

const PUBLIC_HOST = "example.com";
const TIMEOUT_MS = 3_000;

/** Whether webhooks can reach the internet. Not every installation needs that, so it is only a warning. */
export async function checkEgress(): Promise<Finding> {
  const remedy = "Only webhooks to the internet need it: allow name resolution and outgoing connections to port 443.";
  const found = await withinTime(lookup(PUBLIC_HOST));
  if (found === null) return warn("egress", `The name ${PUBLIC_HOST} cannot be resolved.`, remedy);
  const reached = await withinTime(reach(found.address));
  if (reached === null) return warn("egress", `Port 443 of ${PUBLIC_HOST} cannot be reached.`, remedy);
  return ok("egress", "Names resolve, and port 443 on the internet is reachable.");
}

function reach(address: string): Promise<true> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: 443, timeout: TIMEOUT_MS });
    const done = (settle: () => void) => {
      socket.destroy();
      settle();
    };
    socket.once("connect", () => done(() => resolve(true)));
    socket.once("timeout", () => done(() => reject(new Error("no answer"))));
    socket.once("error", (error) => done(() => reject(error)));
  });
}

async function withinTime<T>(answer: Promise<T>): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), TIMEOUT_MS);
  const found = await Promise.race([answer.catch(() => null), promise]);
  clearTimeout(timer);
  return found;
}
