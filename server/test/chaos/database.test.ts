import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE, type Reply } from "../harness/world.ts";
import { expectNothingLost, repeatUnanswered, startWriteStream, type WriteStream } from "../harness/write-stream.ts";
import { cleanUp, eventually, killPostgres } from "../postgres/processes.ts";

const READERS = 4;
/** Several, soon after each other: some must fall while connections are being opened. */
const BLOWS_EACH = sized(1, 4);
/** So that the readers do not take the processor from a database that is coming back. */
const PAUSE_MS = 20;

let data_dir: DataDir;
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  data_dir = await makeDemoDataDir();
  service = await startService({ DATA_DIR: data_dir.path });
  key = (await data_dir.firstRun()).api_key;
});

afterAll(async () => {
  await killServices();
  await cleanUp();
});

const READS = ["/me", "/clients?limit=5", "/events?limit=5", "/audit-log?limit=5"];

/** Reads one thing after the other, and keeps the answers that are neither the thing nor a plain "not now". */
async function keepReading(reading: { done: boolean; wrong: Reply[] }): Promise<void> {
  for (let turn = 0; !reading.done; turn += 1) {
    const reply = await service.call("GET", `${BASE}${READS[turn % READS.length]}`, { key });
    const unavailable = reply.status === 503 && reply.body.code === "service_unavailable" && reply.headers["retry-after"];
    if (unavailable) await delay(PAUSE_MS);
    else if (reply.status !== 200) reading.wrong.push(reply);
  }
}

/** Waits for something of the same process: its end is the one thing that must not happen. */
function untilServed<T>(awaited: Promise<T>): Promise<T> {
  const died = service.ended.then(({ code, signal }): never => {
    throw new Error(`the service ended with ${code ?? signal}: ${service.stderr()}${service.stdout()}`);
  });
  return Promise.race([awaited, died]);
}

function untilWritten(stream: WriteStream, more: number): Promise<unknown> {
  const enough = stream.acknowledged() + more;
  return untilServed(eventually(`${more} more writes`, () => stream.acknowledged() >= enough || null));
}

/** A session of the service's login, whose death makes the server end all others and recover. */
const SESSION = "select pid from pg_stat_activity where usename = 'tributary_service' and pid <> pg_backend_pid() limit 1";

const BLOWS: Record<string, () => Promise<void>> = {
  "its first process": async () => void process.kill(await data_dir.postmasterPid(), "SIGKILL"),
  "all its processes": () => killPostgres(data_dir.data),
  "one session": async () => {
    const [session] = await data_dir.sql<{ pid: number }>(SESSION);
    process.kill(session?.pid ?? expect.unreachable(), "SIGKILL");
  },
  "its sessions, by a quick restart": async () => void process.kill(await data_dir.postmasterPid(), "SIGINT"),
};

describe("a database that goes away under the running service", () => {
  test.each(Object.keys(BLOWS))("%s: requests are answered throughout, and the same process serves again", async (whom) => {
    const stream = startWriteStream(service, key);
    const reading = { done: false, wrong: [] };
    const readers = Promise.all(Array.from({ length: READERS }, () => keepReading(reading)));
    readers.catch(() => undefined);
    try {
      for (let blow = 0; blow < BLOWS_EACH; blow += 1) {
        await untilWritten(stream, 30);
        const refused = stream.refused;
        await BLOWS[whom]?.();
        await untilServed(eventually("the outage to be felt", () => stream.refused > refused || null));
      }
      await untilWritten(stream, 30);
    } finally {
      reading.done = true;
      await stream.stop();
    }
    await readers;

    expect(reading.wrong).toEqual([]);
    expect((await service.call("GET", "/readyz")).status).toBe(200);
    await repeatUnanswered(stream, service, key);
    await expectNothingLost([stream], data_dir.sql);
  });
});
