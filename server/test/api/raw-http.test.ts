import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { beforeAll, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { checkReply } from "../harness/reply-schema.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let port: number;

beforeAll(async () => {
  await world.app.http.listen({ host: "127.0.0.1", port: 0 });
  const address = world.app.http.server.address();
  if (address === null || typeof address === "string") throw new Error("the app does not listen");
  port = address.port;
  partner = await world.newPartner();
});

/** Sends bytes as they are and reads until the service closes the connection. */
function exchange(...chunks: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const text = received(socket);
  for (const chunk of chunks) socket.write(chunk);
  return text;
}

/** All that a connection brings until it is closed. */
function received(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}

function parseReply(text: string): { status: number; headers: Map<string, string>; body: Json } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = new Map(lines.map((header) => [header.split(": ")[0]?.toLowerCase() ?? "", header.split(": ")[1] ?? ""]));
  expect(Buffer.byteLength(body)).toBe(Number(headers.get("content-length")));
  return { status: Number(line.split(" ")[1]), headers, body: JSON.parse(body) };
}

const HOST = "Host: tributary.test\r\n";
const CLOSE = "Connection: close\r\n";
const bearer = () => `Authorization: Bearer ${partner.key}\r\n`;

test("headers of more than 16 KiB are refused with 431", async () => {
  const { status, headers, body } = parseReply(
    await exchange(`GET ${BASE}/me HTTP/1.1\r\n${HOST}X-Large: ${"x".repeat(17_000)}\r\n\r\n`),
  );
  checkReply("GET", `${BASE}/me`, status, body);
  expect([status, body.code]).toEqual([431, "headers_too_large"]);
  expect(headers.get("request-id")).toBe(body.request_id);
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
});

test("an address of more than 16 KiB is refused with 431", async () => {
  const { status, body } = parseReply(await exchange(`GET ${BASE}/me?${"x".repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`));
  expect([status, body.code]).toEqual([431, "headers_too_large"]);
});

test.each([
  ["no HTTP at all", "hello\r\n\r\n"],
  ["bytes of TLS", Buffer.from("160301020001000001fc0303", "hex")],
  ["an unknown method", "FETCH / HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["a header without a colon", `GET /healthz HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
  ["a NUL in a header", `GET /healthz HTTP/1.1\r\n${HOST}X-Y: a\0b\r\n\r\n`],
  ["a length that is no number", `POST ${BASE}/clients HTTP/1.1\r\n${HOST}Content-Length: ten\r\n\r\n`],
  [
    "a length and chunks at once",
    `POST ${BASE}/clients HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
])("%s is answered with a problem and a closed connection", async (_case, bytes) => {
  const { status, headers, body } = parseReply(await exchange(bytes));
  checkReply("GET", "/", status, body);
  expect([status, body.code, headers.get("connection")]).toEqual([400, "invalid_header", "close"]);
});

test("two Host headers are refused, whatever they say", async () => {
  for (const second of [HOST, "hOST: other.test\r\n"]) {
    const { status, body } = parseReply(await exchange(`GET ${BASE}/me HTTP/1.1\r\n${HOST}${bearer()}${second}${CLOSE}\r\n`));
    checkReply("GET", `${BASE}/me`, status, body);
    expect([status, body.code]).toEqual([400, "invalid_header"]);
  }
});

test("a body that does not arrive in time is refused with 408; an upload may take longer", async () => {
  const app = await createApp({
    connection: world.db.service,
    connections_max: 2,
    secret_key: "x".repeat(32),
    baseUrl: () => "http://tributary.test",
    migration: 0,
    log: pino({ level: "silent" }),
    rate_limits: "off",
    role: "api",
    request_within_ms: 50,
  });
  await app.http.listen({ host: "127.0.0.1", port: 0 });
  const own = app.http.server.address() as { port: number };
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\n${HOST}${bearer()}${CLOSE}Content-Type: ${type}\r\nContent-Length: 29\r\n\r\n`;
  const upload = connect(own.port, "127.0.0.1");
  const uploaded = received(upload);
  upload.write(`${head("/v1/imports?resource=contact", "text/csv")}name,phone\n`);
  const slow = connect(own.port, "127.0.0.1");
  slow.write(`${head(`${BASE}/clients`, "application/json")}{"comp`);
  const { status, body } = parseReply(await received(slow));
  expect([status, body.code]).toEqual([408, "request_timeout"]);
  upload.write("Ada,+14155550001\n\n");
  expect(parseReply(await uploaded).status).toBe(202);
  await app.close();
});

test("a broken chunk in the middle of a body is answered with a 4xx problem", async () => {
  const head = `POST ${BASE}/clients HTTP/1.1\r\n${HOST}${bearer()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const { status, body } = parseReply(await exchange(head, '5\r\n{"com\r\nZZ\r\n'));
  checkReply("POST", `${BASE}/clients`, status, body);
  expect(status).toBe(400);
});

test("a body in chunks that grows past the limit is refused with 413 before it has all arrived", async () => {
  const chunk = `10000\r\n${" ".repeat(0x1_0000)}\r\n`;
  const head = `POST ${BASE}/clients HTTP/1.1\r\n${HOST}${bearer()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const { status, body } = parseReply(await exchange(head, ...Array<string>(5).fill(chunk)));
  expect([status, body.code, body.limit_bytes]).toEqual([413, "payload_too_large", 256 * 1024]);
});

test("a length that announces too much is refused with 413 without waiting for the body", async () => {
  const { status, body } = parseReply(
    await exchange(
      `POST ${BASE}/clients HTTP/1.1\r\n${HOST}${bearer()}Content-Type: application/json\r\nContent-Length: 99999999\r\n${CLOSE}\r\n`,
    ),
  );
  expect([status, body.code]).toEqual([413, "payload_too_large"]);
});

test("two requests in one packet are answered one after the other", async () => {
  const request = (close: string) => `GET ${BASE}/me HTTP/1.1\r\n${HOST}${bearer()}${close}\r\n`;
  const text = await exchange(request("") + request(CLOSE));
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});
