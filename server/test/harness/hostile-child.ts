import { execFileSync } from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { goOffline } from "../../src/features/agents/sandbox/offline.ts";

// What the process of a sandbox run could try, if it ran anything but our own code: it tells what became of each attempt.
goOffline();

function attempt(act: () => unknown): string {
  try {
    return String(act());
  } catch (error) {
    const { code, name } = error as { code?: string; name: string };
    return code ?? (name === "Error" ? "refused" : name);
  }
}

process.on("message", async ({ port }: { port: number }) => {
  const fetched = await fetch(`http://127.0.0.1:${port}/`).then(
    () => "answered",
    () => "refused",
  );
  process.send?.({
    read: attempt(() => readFileSync("/etc/passwd", "utf8").length),
    write: attempt(() => writeFileSync("/tmp/from-the-sandbox", "x")),
    environ: attempt(() => readFileSync(`/proc/${process.ppid}/environ`, "utf8").length),
    spawn: attempt(() => execFileSync("/bin/true")),
    kill: attempt(() => process.kill(process.ppid, 0)),
    worker: attempt(() => new Worker("1", { eval: true })),
    // biome-ignore lint/security/noGlobalEval: it has to be refused
    eval: attempt(() => globalThis.eval("1 + 1")),
    connect: attempt(() => connect(port, "127.0.0.1")),
    listen: attempt(() => createServer().listen(0)),
    udp: attempt(() => dgram.createSocket("udp4")),
    dns: attempt(() => dns.lookup("localhost", () => undefined)),
    fetch: fetched,
    environment: Object.keys(process.env).sort().join(),
  });
});
process.send?.({ ready: true });
