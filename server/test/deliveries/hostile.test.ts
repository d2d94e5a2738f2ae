import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createEgress } from "../../src/platform/net/egress.ts";
import { createHttpSender, type Exchange } from "../../src/platform/net/http-sender.ts";

const closers: (() => void)[] = [];
const sender = createHttpSender(createEgress("development"));
afterAll(() => {
  sender.close();
  for (const close of closers) close();
});

/** A receiver that treats each connection as it likes. */
async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await portOf(server)}/`;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** For as long as it takes, unless the time is the point. */
function post(url: string, timeout_ms = 60_000, connect_timeout_ms = 60_000): Promise<Exchange> {
  return sender.post({ url: new URL(url), headers: {}, body: Buffer.from("{}"), timeout_ms, connect_timeout_ms });
}

/** Answers a request with bytes, and does something afterwards. */
const answering = (bytes: string | Buffer, then: (socket: Socket) => void = () => undefined) =>
  listen((socket) =>
    socket.once("data", () => {
      socket.write(bytes);
      then(socket);
    }),
  );

/** Writes for as long as somebody reads. */
function flood(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", write);
  write();
}

const drip = (bytes: string) => (socket: Socket) => {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes[at++ % bytes.length] ?? ""), 10);
  socket.on("close", () => clearInterval(timer));
};

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

test.each<[string, () => Promise<string>, string]>([
  ["never answers", () => listen(() => undefined), "no answer within 0.3 s"],
  [
    "answers its head byte by byte",
    () => listen((socket) => socket.once("data", () => drip("HTTP/1.1 200 OK ")(socket))),
    "no answer within 0.3 s",
  ],
  [
    "answers its body byte by byte",
    () => answering(`${OK}content-length: 1000\r\n\r\n`, drip("x")),
    "no end of the answer within 3 s",
  ],
  ["closes at once", () => listen((socket) => socket.destroy()), "the connection was reset"],
  [
    "resets midway through the head",
    () => answering("HTTP/1.1 200 O", (socket) => socket.resetAndDestroy()),
    "the connection was reset",
  ],
  [
    "resets midway through the body",
    () => answering(`${OK}content-length: 1000\r\n\r\nhalf`, (socket) => setTimeout(() => socket.resetAndDestroy(), 20)),
    "the connection was reset",
  ],
  [
    "ends before its body does",
    () => answering(`${OK}content-length: 1000\r\n\r\nhalf`, (socket) => setTimeout(() => socket.end(), 20)),
    "the connection was reset",
  ],
  ["answers with garbage", () => answering("\x00\x01\x02 what?\r\n\r\n"), "the answer was not HTTP: "],
  ["answers with a chunk that is none", () => answering(`${CHUNKED}zz\r\n`), "the answer was not HTTP: "],
  ["sends a head without end", () => answering(OK, (socket) => drip("x-y: z\r\n")(socket)), "no answer within 0.3 s"],
  [
    "sends a head of a megabyte",
    () => answering(`${OK}x: ${"y".repeat(1 << 20)}\r\n\r\n`),
    "the answer was not HTTP: Header overflow",
  ],
  [
    "speaks another protocol over TLS",
    async () => (await answering("220 mail ready\r\n")).replace("http:", "https:"),
    "no TLS connection could be made: ",
  ],
])("a receiver that %s fails the attempt, which says why", async (_case, start, reason) => {
  const [, seconds = 60] = / within (\S+) s$/.exec(reason) ?? [];
  const exchange = await post(await start(), Number(seconds) * 1_000);
  expect(exchange.status).toBeNull();
  expect(exchange.error?.slice(0, reason.length)).toBe(reason);
});

test("a receiver that wants to switch protocols has answered, and did not accept", async () => {
  const url = await answering("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
  expect(await post(url)).toMatchObject({ status: 101, error: null });
});

test("a port that nobody listens on is named as such", async () => {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  expect((await post(`http://127.0.0.1:${port}/`)).error).toBe("the connection was refused");
});

test("a name that is not there is named as such", async () => {
  expect((await post("http://no-such-name.invalid/")).error).toMatch(
    /^the name no-such-name\.invalid (was not found|could not be looked up)$/,
  );
});

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCfOXCxUEbEDUIRG+
/VLA6F6QKlwO/tn0Rq5YKGYCJZOhRANCAARX7zx5c6F3TRlgj+Vj0isKoBLahgQG
gc4ZJfeWyzWQHifAG/UPGKpajeGFluL4b9kHdWLFLq8FPfy4JjI6zm+j
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUJSTvCMOOVuhRx6UcuEJMGbVanw8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTA1NDE0MVoYDzIxMjYxMDIy
MDU0MTQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARX7zx5c6F3TRlgj+Vj0isKoBLahgQGgc4ZJfeWyzWQHifAG/UPGKpa
jeGFluL4b9kHdWLFLq8FPfy4JjI6zm+jo28wbTAdBgNVHQ4EFgQUuL7SnHar/KKr
2HQ1vUPzQofmO1kwHwYDVR0jBBgwFoAUuL7SnHar/KKr2HQ1vUPzQofmO1kwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALbdxft1ZpylqTbv/p7OUb1GRnSozsqrEvM6d7Ge/pwTAiBA
gT6sm4qDCsmU+Pmb6dJ5BYw1GY8svQk4W/Ub0w52KQ==
-----END CERTIFICATE-----`;

test("a certificate that nobody vouches for fails the attempt, which says so", async () => {
  let requests = 0;
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (_, response) => {
    requests += 1;
    response.end();
  });
  closers.push(() => server.close());
  const port = await portOf(server);
  expect((await post(`https://127.0.0.1:${port}/`)).error).toBe("the certificate is not valid: self-signed certificate");
  expect(requests).toBe(0);
});

test("an answer that never ends is read no further than needed: memory stays flat, and its status counts", async () => {
  const refusing = await answering(CHUNKED.replace("200 OK", "500 Oh no"), (socket) => {
    socket.write("fffffff\r\n");
    flood(socket);
  });
  const accepting = await answering(`${OK}content-length: 1000000000\r\n\r\n`, flood);
  const memory = () => {
    globalThis.gc?.();
    return process.memoryUsage.rss();
  };
  await Promise.all(Array.from({ length: 20 }, () => post(refusing)));
  const before = memory();
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => post(turn % 2 === 0 ? refusing : accepting)));
    for (const [turn, answer] of answers.entries()) {
      expect([answer.status, answer.error]).toEqual([turn % 2 === 0 ? 500 : 200, null]);
      expect(answer.text?.length ?? 0).toBe(turn % 2 === 0 ? 4_096 : 0);
    }
  }
  expect(memory() - before).toBeLessThan(100 * 1024 * 1024);
});

test("a kept connection that the other end closed is replaced without an attempt being lost", async () => {
  let connections = 0;
  const url = await listen((socket) => {
    connections += 1;
    let requests = 0;
    // The second request on a connection finds it closed.
    socket.on("data", () => {
      requests += 1;
      if (requests === 1) socket.write(`${OK}content-length: 0\r\n\r\n`);
      else socket.resetAndDestroy();
    });
  });
  expect((await post(url)).status).toBe(200);
  expect((await post(url)).status).toBe(200);
  expect(connections).toBe(2);
});

test("a sender that is closed ends what is under way and sends none of it again", async () => {
  const closing = createHttpSender(createEgress("development"));
  const second = Promise.withResolvers<void>();
  let connections = 0;
  const url = await listen((socket) => {
    connections += 1;
    let requests = 0;
    socket.on("data", () => {
      requests += 1;
      if (requests === 1) socket.write(`${OK}content-length: 0\r\n\r\n`);
      else second.resolve();
    });
  });
  const request = { url: new URL(url), headers: {}, body: Buffer.from("{}"), timeout_ms: 60_000, connect_timeout_ms: 60_000 };
  expect((await closing.post(request)).status).toBe(200);
  const under_way = closing.post(request);
  await second.promise;
  closing.close();
  expect(await under_way).toMatchObject({ status: null, error: "the connection was reset" });
  expect(connections).toBe(1);
});
