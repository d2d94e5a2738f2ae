import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { administer, createTestDatabase } from "../harness/database.ts";
import { BASE, useWorld } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const world = useWorld();

afterEach(() => world.app.setReadiness("ready"));

test("/healthz answers as long as the process does, whatever its readiness", async () => {
  for (const readiness of ["starting", "ready", "draining"] as const) {
    world.app.setReadiness(readiness);
    const { status, body } = await world.call("GET", "/healthz");
    expect([status, body]).toEqual([200, { status: "ok" }]);
  }
});

test("/readyz is ready when the service says so and the database has the newest migration", async () => {
  const { status, body } = await world.call("GET", "/readyz");
  expect([status, body]).toEqual([200, { status: "ready" }]);
});

test.each(["starting", "draining"] as const)("/readyz sends callers away while the service is %s", async (readiness) => {
  world.app.setReadiness(readiness);
  const { status, body, headers } = await world.call("GET", "/readyz");
  expect([status, body.code, headers["retry-after"]]).toEqual([503, "service_unavailable", "2"]);
  expect(body.detail).toContain(readiness);
});

test("/readyz sends callers away while the database lacks a migration", async () => {
  const newest = await world.db.sql("delete from migrations where number = (select max(number) from migrations) returning *");
  expect((await world.call("GET", "/readyz")).status).toBe(503);
  for (const { number, file, checksum } of newest as { number: number; file: string; checksum: string }[]) {
    await world.db.sql("insert into migrations (number, file, checksum) values ($1, $2, $3)", [number, file, checksum]);
  }
  expect((await world.call("GET", "/readyz")).status).toBe(200);
});

test.each(["starting", "draining"] as const)("no probe leaves an error in the log while the service is %s", async (readiness) => {
  const lines: string[] = [];
  const app = await createApp({
    connection: world.db.service,
    connections_max: 2,
    secret_key: "x".repeat(32),
    baseUrl: () => "http://tributary.test",
    migration: 0,
    log: pino({ level: "warn" }, { write: (line) => void lines.push(line) }),
    role: "api",
  });
  app.setReadiness(readiness);
  expect((await app.http.inject("/readyz")).statusCode).toBe(503);
  await app.close();
  expect(lines).toEqual([]);
});

test("a database that does not answer is one error in the log, and one line when it answers again, however many probes there are", async () => {
  const lines: { level: number; msg: string }[] = [];
  const other = await createTestDatabase();
  const app = await createApp({
    connection: other.service,
    connections_max: 2,
    secret_key: "x".repeat(32),
    baseUrl: () => "http://tributary.test",
    migration: 0,
    log: pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) }),
    role: "api",
  });
  app.setReadiness("ready");
  const probe = async () => (await app.http.inject("/readyz")).statusCode;
  const allowed = (allow: boolean) =>
    administer(async (session) => {
      await session.query(`alter database ${other.name} allow_connections ${allow}`);
      await session.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [other.name]);
    });
  const said = () => lines.filter(({ msg }) => /database/.test(msg ?? "")).map(({ level }) => pino.levels.labels[level]);
  const failed = () => lines.filter(({ msg }) => msg === "request failed");
  expect(await probe()).toBe(200);
  for (const round of [1, 2]) {
    await allowed(false);
    await eventually("the outage to be felt", async () => (await probe()) === 503 || null);
    for (let more = 0; more < 3; more += 1) expect(await probe()).toBe(503);
    await allowed(true);
    await eventually("the end of the outage", async () => (await probe()) === 200 || null);
    expect(said()).toEqual(Array(round).fill(["error", "info"]).flat());
  }
  expect(failed()).toEqual([]);
  await app.close();
  await other.drop();
});

test("/metrics is for operators alone, unless it is public", async () => {
  const partner = await world.newPartner();
  for (const [key, code] of [
    [undefined, "missing_credentials"],
    [partner.key, "invalid_credentials"],
  ] as const) {
    const reply = await world.call("GET", "/metrics", key === undefined ? {} : { key });
    expect([reply.status, reply.body.code]).toEqual([401, code]);
    expect(reply.text).not.toContain("tributary_");
  }
});

test("/metrics counts each request under its operation and status, and shows no id and no path", async () => {
  const partner = await world.newPartner();
  const { id } = await world.newClient(partner);
  const path = `${BASE}/clients/${id}`;
  for (let round = 0; round < 3; round += 1) await world.call("GET", path, { key: partner.key });
  await world.call("GET", path);
  await world.call("PUT", path);
  await world.call("GET", `/${id}`);
  const { status, headers, text } = await world.call("GET", "/metrics", { key: await world.newOperator() });
  expect([status, headers["content-type"]]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  const count = (operation: string, code: number) =>
    new RegExp(`^tributary_http_request_duration_seconds_count\\{operation="${operation}",status="${code}"\\} (\\d+)$`, "m").exec(
      text,
    )?.[1];
  expect([count("clients.get", 200), count("clients.get", 401), count("PUT", 405), count("GET", 404)]).toEqual([
    "3",
    "1",
    "1",
    "1",
  ]);
  expect(text).not.toContain(id);
  expect(text).not.toContain(partner.partner_id);
});
