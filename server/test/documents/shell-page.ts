import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyDemoDataDir } from "../harness/templates.ts";
import { eventually, makeFolder } from "../postgres/processes.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ENTRY = join(ROOT, "server/bin/tributary.mjs");
const DONE = "---- block done:";

export type Block = { text: string; shown: string[]; starts: boolean };

/** The shell commands of a page, block by block; `#=>` is what the command before it shows. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => ({
    text: block,
    shown: [...block.matchAll(/^#=> (.*)$/gm)].map(([, shown = ""]) => shown),
    starts: /\bnpm start\b/.test(block),
  }));
}

/** A shell of the reader's in a folder of its own, where npm and npx are this clone's and the ports are free ones. */
export type Reader = { run(block: Block): Promise<{ code: number; output: string }>; close(): Promise<void> };

/** With `started`, as after a first start: the demo programme is in its data folder. */
export async function openReader({ started = false } = {}): Promise<Reader> {
  const folder = await makeFolder();
  if (started) {
    mkdirSync(join(folder, "data"));
    await copyDemoDataDir(join(folder, "data"));
  }
  const ports: Record<string, number> = { 8080: await freePort(), 8081: await freePort() };
  const children: ChildProcessWithoutNullStreams[] = [];
  const env = {
    PATH: `${programs(folder)}:${process.env.PATH}`,
    HOME: folder,
    PORT: String(ports[8080]),
    LOG_LEVEL: "error",
    MAINTENANCE_AT: "00:00",
  };
  const open = () => {
    const child = spawn("bash", ["--noprofile", "--norc"], { cwd: folder, env, detached: true });
    children.push(child);
    return { child, output: collect(child) };
  };
  const shell = open();
  const placed = (text: string) => text.replaceAll(/\b808[01]\b/g, (port) => String(ports[port]));

  async function start(text: string) {
    const { child, output } = open();
    child.stdin.end(placed(text));
    await eventually("the service to be ready", () => (/Tributary is ready/.test(output()) ? true : null));
    return { code: 0, output: output() };
  }

  return {
    async run({ text, starts }) {
      if (starts) return start(text);
      const before = shell.output().length;
      shell.child.stdin.write(`${placed(text)}\necho "${DONE} $?"\n`);
      const finished = () => new RegExp(`${DONE} (\\d+)`).exec(shell.output().slice(before));
      const [, code = ""] = await eventually("the commands to end", finished);
      return { code: Number(code), output: shell.output().slice(before) };
    },
    async close() {
      await Promise.all(children.reverse().map(endGroup));
    },
  };
}

/** `npm start` and `npx tributary` without npm's own time: what they run is the same. */
function programs(folder: string): string {
  const bin = join(folder, ".programs");
  mkdirSync(bin);
  const node = JSON.stringify(process.execPath);
  const shims = {
    npm: `[ "$1" = start ] && exec ${node} ${JSON.stringify(ENTRY)} serve; echo "npm $* is not run here" >&2; exit 1`,
    npx: `[ "$1" = tributary ] && shift && exec ${node} ${JSON.stringify(ENTRY)} "$@"; echo "npx $* is not run here" >&2; exit 1`,
    node: `exec ${node} "$@"`,
  };
  for (const [name, script] of Object.entries(shims)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** A shell hands signals on to nobody, so they go to its whole group. */
async function endGroup(child: ChildProcessWithoutNullStreams): Promise<void> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  try {
    process.kill(-(child.pid ?? 0), "SIGTERM");
  } catch {
    return;
  }
  await closed;
}

function collect(child: ChildProcessWithoutNullStreams): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
