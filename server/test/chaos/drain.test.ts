import { once } from "node:events";
import { Agent, get, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { halfChanges } from "../harness/consistency.ts";
import { type DataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { createHttpClient } from "../harness/http-client.ts";
import { killServices, launchService, type ServiceProcess, startService } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE, GENERAL } from "../harness/world.ts";
import { expectNothingLost, startWriteStream, type WriteStream } from "../harness/write-stream.ts";
import { cleanUp, eventually, untilStopped } from "../postgres/processes.ts";

const ROUNDS = sized(1, 4);
/** Fewer than the pool has connections, so that all of them are inside their transactions. */
const REQUESTS = 12;
const ORDERLY = { code: 0, signal: null };

const sockets: Socket[] = [];
let data_dir: DataDir;

const hold = useHolds(() => data_dir.connect());

beforeAll(async () => {
  data_dir = await makeDemoDataDir();
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await killServices();
});

afterAll(cleanUp);

async function start(): Promise<{ service: ServiceProcess; key: string }> {
  const service = await startService({ DATA_DIR: data_dir.path });
  return { service, key: (await data_dir.firstRun()).api_key };
}

/** From then on nobody new gets in: the service has begun to stop. */
function untilClosed({ base_url }: ServiceProcess): Promise<unknown> {
  return eventually("new connections to be refused", async () => {
    const client = createHttpClient(base_url);
    const error = await client.call("GET", "/healthz").catch((refusal: unknown) => refusal);
    client.close();
    return (error instanceof Error && "code" in error && error.code === "ECONNREFUSED") || null;
  });
}

describe("SIGTERM", () => {
  test("lets the requests under way finish, and stops the database of the last process", async () => {
    const { service, key } = await start();
    const held = await hold("lock table clients in exclusive mode");
    const underWay = Array.from({ length: REQUESTS }, (_, turn) =>
      service.call("POST", `${BASE}/clients`, { key, body: { company: `Under way ${turn}` } }),
    );
    await untilWaiting(data_dir.sql, TABLE_LOCKS, REQUESTS);
    const stopped = service.stop();
    await untilClosed(service);
    await held.release();
    const ids = (await Promise.all(underWay)).map(({ status, body }) => (status === 201 ? body.id : status));
    expect(await stopped).toEqual(ORDERLY);
    await untilStopped(data_dir.data);
    expect(service.stderr()).toBe("");

    await start();
    const found = await data_dir.sql<{ id: string }>("select id from clients where company like 'Under way %'");
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await halfChanges(data_dir.sql)).toEqual([]);
  });

  test("under a stream of writes: every answer is a valid one and no acknowledged write is lost", async () => {
    const streams: WriteStream[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { service, key } = await start();
      await expectNothingLost(streams, data_dir.sql);
      const stream = startWriteStream(service, key);
      const enough = 40 + round * 17;
      await Promise.race([eventually("the writes to flow", () => stream.acknowledged() >= enough || null), stream.ended]);
      expect(await service.stop()).toEqual(ORDERLY);
      await stream.stop();
      streams.push(stream);
      await untilStopped(data_dir.data);
    }
    await start();
    await expectNothingLost(streams, data_dir.sql);
  });

  test("of one of two processes on a DATA_DIR leaves the database to the other", async () => {
    const first = await start();
    const second = await start();
    const postmaster = await data_dir.postmasterPid();
    expect(await first.service.stop()).toEqual(ORDERLY);
    expect(await data_dir.postmasterPid()).toBe(postmaster);
    expect((await second.service.call("GET", `${BASE}/me`, { key: second.key })).status).toBe(200);
    expect(await second.service.stop()).toEqual(ORDERLY);
    await untilStopped(data_dir.data);
  });

  test("while the service is still starting leaves no database behind", async () => {
    const starting = launchService({ DATA_DIR: data_dir.path });
    await eventually("the database to be up", () => data_dir.sql("select 1").catch(() => null));
    expect(await starting.stop()).toEqual(ORDERLY);
    await untilStopped(data_dir.data);
  });

  test("ends an upload under way with a reply, and keeps nothing of it; a refused one is over before", async () => {
    const { service, key } = await start();
    const headers = { authorization: `Bearer ${key}`, "content-type": "text/csv" };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const url = `${service.base_url}${GENERAL}/imports`;
    const refused = request(url, { method: "POST", headers, agent }).end(`name\n"${"x".repeat(16 * 1024 * 1024)}`);
    const [refusal] = (await once(refused, "response")) as [IncomingMessage];
    expect([refusal.statusCode, await json(refusal)]).toMatchObject([422, { code: "invalid_csv" }]);
    // The rest of a refused file is not left in the connection.
    const [healthy] = (await once(get(`${service.base_url}/healthz`, { agent }), "response")) as [IncomingMessage];
    expect(healthy.resume().statusCode).toBe(200);
    agent.destroy();

    const upload = request(url, { method: "POST", headers });
    const replied = once(upload, "response") as Promise<[IncomingMessage]>;
    upload.write("name,phone\n");
    const sending = setInterval(() => void upload.write("\n".repeat(1_000)), 5);
    await eventually("a part to be stored", async () => (await data_dir.sql("select 1 from import_chunks")).length > 0 || null);
    const stopped = service.stop();
    const [reply] = await replied.finally(() => clearInterval(sending));
    expect([reply.statusCode, await json(reply)]).toMatchObject([503, { code: "service_unavailable" }]);
    upload.destroy();
    expect(await stopped).toEqual(ORDERLY);
    await start();
    expect(await data_dir.sql("select 1 from import_chunks")).toEqual([]);
  });

  test.each([
    ["has connected and sends nothing", ""],
    ["has sent half of a request's head", `POST ${BASE}/clients HTTP/1.1\r\nHost: x\r\n`],
  ])("does not wait for a client that %s", async (_case, bytes) => {
    const { service } = await start();
    const { hostname, port } = new URL(service.base_url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("connect", resolve));
    if (bytes !== "") await new Promise((resolve) => socket.write(bytes, resolve));
    expect((await service.call("GET", "/healthz")).status).toBe(200);
    expect(await service.stop()).toEqual(ORDERLY);
    await untilStopped(data_dir.data);
  });
});
