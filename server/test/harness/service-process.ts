import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { eventually } from "../postgres/processes.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";

const ENTRY = fileURLToPath(new URL("../../bin/tributary.mjs", import.meta.url));
const READY = /^Tributary is ready at (\S+)/m;
const OUTPUT_KEPT = 64 * 1024;

export type Ending = { code: number | null; signal: NodeJS.Signals | null };

/** A real service in a process of its own, whether it has come up or not. */
export type LaunchedService = {
  pid: number;
  /** Resolves once it says where it listens; rejects with what it said instead. */
  ready(): Promise<ServiceProcess>;
  ended: Promise<Ending>;
  stdout(): string;
  stderr(): string;
  kill(): Promise<void>;
  /** As an orchestrator does it: SIGTERM, then waiting for the end. */
  stop(): Promise<Ending>;
  /** What happens to its output: nobody reads on, or the reader is gone. */
  output: { pause(): void; close(): void };
};

export type ServiceProcess = Omit<LaunchedService, "ready"> & { base_url: string; call: HttpClient["call"] };

export type Environment = Record<string, string>;
export type Identity = { uid?: number; gid?: number };

const launched: { kill(): Promise<void> }[] = [];

/** Starts `tributary serve` on a free port with this environment and nothing of ours. */
export function launchService(environment: Environment, as: Identity = {}): LaunchedService {
  const child = spawn(process.execPath, [ENTRY, "serve"], {
    ...as,
    cwd: "/",
    env: { PATH: process.env.PATH, ...testEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      output[name] = (output[name] + chunk).slice(-OUTPUT_KEPT);
    });
  }
  let ending: Ending | null = null;
  const ended = new Promise<Ending>((resolve) => {
    child.once("close", (code, signal) => {
      ending = { code, signal };
      resolve(ending);
    });
  });
  const service: LaunchedService = {
    pid: child.pid ?? 0,
    ended,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    output: {
      pause: () => void child.stdout.pause(),
      close: () => void child.stdout.destroy(),
    },
    async ready() {
      const addressOrNull = () => {
        if (ending !== null) throw new Error(`the service ended with ${ending.code ?? ending.signal}: ${output.stderr}`);
        return READY.exec(output.stdout)?.[1] ?? null;
      };
      const base_url = await eventually("the service to be ready", addressOrNull);
      return runningService(service, base_url);
    },
  };
  launched.push(service);
  return service;
}

export const testEnvironment = (): Environment => ({
  PORT: "0",
  LOG_LEVEL: "error",
  MAINTENANCE_AT: farTime(),
  RATE_LIMITS: "off",
});

/** Twelve hours from now: the house-keeping takes old demo events away, which must not happen in the middle of a test. */
function farTime(): string {
  return new Date(Date.now() + 43_200_000).toISOString().slice(11, 16);
}

export async function startService(environment: Environment): Promise<ServiceProcess> {
  return launchService(environment).ready();
}

function runningService(launch: LaunchedService, base_url: string): ServiceProcess {
  const { ready: _, ...rest } = launch;
  const client = createHttpClient(base_url);
  launch.ended.then(() => client.close());
  return {
    ...rest,
    base_url,
    async call(method, path, options) {
      const reply = await client.call(method, path, options);
      if (reply.status === 500) throw new Error(`${method} ${path} failed: ${await causeOf(launch, reply.body.request_id)}`);
      return reply;
    },
  };
}

/** The log line of a defect: nothing in these tests may ever be an internal error. */
async function causeOf(launch: LaunchedService, request_id: string): Promise<string> {
  const lineOrNull = () =>
    launch
      .stdout()
      .split("\n")
      .find((line) => line.includes(request_id)) ?? null;
  return eventually("the log line", lineOrNull, 5_000).catch(() => `${request_id}, not in the log`);
}

/** Kills whatever a test left running, also when it failed. */
export async function killServices(): Promise<void> {
  await Promise.all(launched.splice(0).map((service) => service.kill()));
}
