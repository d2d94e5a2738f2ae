import { afterAll, beforeAll, expect, test } from "vitest";
import { type DataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE } from "../harness/world.ts";
import { expectNothingLost, repeatUnanswered, startWriteStream, type WriteStream } from "../harness/write-stream.ts";
import { cleanUp, eventually, killPostgres, untilStopped } from "../postgres/processes.ts";

const SERVICE_ROUNDS = sized(2, 12);
const MACHINE_ROUNDS = sized(2, 5);

let data_dir: DataDir;
let service: ServiceProcess;
let key: string;

/** The database of this file is the durable one that users get, not the one that tests share. */
beforeAll(async () => {
  data_dir = await makeDemoDataDir();
  service = await startService({ DATA_DIR: data_dir.path });
  key = (await data_dir.firstRun()).api_key;
  // Where nothing listens: what is looked at is that every event is queued for it.
  const body = { url: "http://127.0.0.1:9/", event_types: ["client.created", "client.suspended"] };
  expect((await service.call("POST", `${BASE}/webhooks`, { key, body })).status).toBe(201);
});

afterAll(async () => {
  await killServices();
  await cleanUp();
});

/** A stream that has been going on for a while, longer each round, so that the blow falls elsewhere each time. */
async function streamUnderWay(round: number): Promise<WriteStream> {
  const stream = startWriteStream(service, key);
  const enough = 40 + round * 13;
  const flowing = eventually("the writes to flow", () => stream.acknowledged() >= enough || null);
  await Promise.race([flowing, stream.ended]);
  return stream;
}

async function expectSurvived(streams: WriteStream[], stream: WriteStream): Promise<void> {
  await stream.ended;
  expect(stream.acknowledged()).toBeGreaterThan(0);
  streams.push(stream);
  service = await startService({ DATA_DIR: data_dir.path });
  await expectNothingLost(streams, data_dir.sql);
  await repeatUnanswered(stream, service, key);
  await expectNothingLost([stream], data_dir.sql);
}

test(`kill -9 of the service under a stream of writes, ${SERVICE_ROUNDS} times: nothing lost, nothing doubled, nothing by half`, async () => {
  const streams: WriteStream[] = [];
  const postmaster = await data_dir.postmasterPid();
  for (let round = 0; round < SERVICE_ROUNDS; round += 1) {
    const stream = await streamUnderWay(round);
    await service.kill();
    await expectSurvived(streams, stream);
    expect(await data_dir.postmasterPid()).toBe(postmaster);
  }
});

test(`kill -9 of the service and its database, ${MACHINE_ROUNDS} times: nothing lost, nothing doubled, nothing by half`, async () => {
  const streams: WriteStream[] = [];
  for (let round = 0; round < MACHINE_ROUNDS; round += 1) {
    const stream = await streamUnderWay(round);
    const killed = service.kill();
    await killPostgres(data_dir.data);
    await killed;
    await untilStopped(data_dir.data);
    await expectSurvived(streams, stream);
  }
});
