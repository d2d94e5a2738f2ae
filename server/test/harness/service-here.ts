import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { LOG_OPTIONS } from "../../src/platform/observe/log.ts";
import { startService } from "../../src/service.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { type Environment, testEnvironment } from "./service-process.ts";

export type ServiceHere = { base_url: string; call: HttpClient["call"]; stop(): Promise<void> };

/**
 * A whole service on a port of its own, in the process of the test: its code is loaded and compiled once for all files. For tests of
 * what a service does, and not of how its process starts and ends.
 */
export async function startHere(environment: Environment): Promise<ServiceHere> {
  const lines: string[] = [];
  const log = pino({ ...LOG_OPTIONS, level: "error" }, { write: (line) => void lines.push(line) });
  const { base_url, shutdown } = await startService(readConfig({ ...testEnvironment(), ...environment }), log);
  const client = createHttpClient(base_url);
  return {
    base_url,
    async call(method, path, options) {
      const reply = await client.call(method, path, options);
      // Nothing in these tests may ever be an internal error.
      if (reply.status === 500)
        throw new Error(`${method} ${path} failed: ${lines.find((line) => line.includes(reply.body.request_id))}`);
      return reply;
    },
    async stop() {
      client.close();
      await shutdown.run();
    },
  };
}
