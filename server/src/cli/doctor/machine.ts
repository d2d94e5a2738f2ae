import { createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { Config } from "../../config.ts";
import { askService, localAddress } from "../service-address.ts";
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
    `Install Node ${OLDEST_NODE.join(".")} or newer, or let npm install bring one.`,
  );
}

/** The stamp says which lock file the packages were installed from. */
export async function checkPackages(root: URL = ROOT): Promise<Finding> {
  const [lock, stamp] = await Promise.all(
    ["package-lock.json", "node_modules/.installed-lock"].map((file) => readFile(new URL(file, root), "utf8").catch(() => null)),
  );
  if (lock === null || lock === undefined) return ok("packages", "There is no package-lock.json to compare them with.");
  const wanted = `${createHash("sha256").update(lock).digest("hex")} ${process.platform} ${process.arch}`;
  if (stamp === wanted) return ok("packages", "The packages are those of package-lock.json.");
  if (stamp === null) {
    return warn(
      "packages",
      "The packages were not installed by npm start or npm test, so nobody knows of which lock file they are.",
      "npm ci",
    );
  }
  return fail(
    "packages",
    "The packages are not those of package-lock.json, or of another kind of machine.",
    "npm start installs them anew.",
  );
}

/** Whether the service can listen, or does already. */
export async function checkPort({ host, port }: Pick<Config, "host" | "port">): Promise<Finding> {
  if (port === 0) return ok("port", "PORT is 0: any free one.");
  const code = await listenError(host, port);
  if (code === null) return ok("port", `Port ${port} on ${host} is free.`);
  if (code === "EACCES") return fail("port", `Port ${port} needs more rights than this user has.`, "Set PORT to one above 1023.");
  if (code !== "EADDRINUSE")
    return fail("port", `HOST ${host} cannot be listened on (${code}).`, "Set HOST to an address of this machine.");
  const answer = await askService(localAddress({ host, port }));
  if (answer.kind === "ready") return ok("port", `The service answers on port ${port}.`);
  if (answer.kind === "not_ready") {
    return warn(
      "port",
      `The service runs on port ${port} and is not ready: ${answer.detail}`,
      "Wait for it, or look into its log.",
    );
  }
  return fail("port", `Port ${port} on ${host} is taken by another program.`, `Set PORT to a free one, or stop that program.`);
}

function listenError(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

const OUTSIDE = "example.com";
const PATIENCE_MS = 3_000;

/** Whether webhooks could leave this machine. Much is well without it, so it never fails. */
export async function checkEgress(): Promise<Finding> {
  const remedy = "It matters only for webhooks to the internet: let this machine resolve names and reach port 443 outside.";
  const found = await withinTime(lookup(OUTSIDE));
  if (found === null) return warn("egress", `The name ${OUTSIDE} cannot be resolved.`, remedy);
  const reached = await withinTime(reach(found.address));
  if (reached === null) return warn("egress", `Port 443 of ${OUTSIDE} cannot be reached.`, remedy);
  return ok("egress", "Names resolve, and port 443 can be reached outside.");
}

function reach(address: string): Promise<true> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: 443, timeout: PATIENCE_MS });
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
  const timer = setTimeout(() => resolve(null), PATIENCE_MS);
  const found = await Promise.race([answer.catch(() => null), promise]);
  clearTimeout(timer);
  return found;
}
