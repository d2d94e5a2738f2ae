import { afterAll, beforeAll, expect, test } from "vitest";
import { killCommands, type RunningCommand, runCommand, startCommand, startLine } from "../harness/command.ts";
import { type DataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { BASE, type Json } from "../harness/world.ts";
import { cleanUp, eventually, killPostgres } from "../postgres/processes.ts";

let data_dir: DataDir;
let service: ServiceProcess;
let key: string;
const environment: Record<string, string> = {};

beforeAll(async () => {
  data_dir = await makeDemoDataDir();
  environment.DATA_DIR = data_dir.path;
  service = await startService(environment);
  key = (await data_dir.firstRun()).api_key;
});

afterAll(async () => {
  await killCommands();
  await killServices();
  await cleanUp();
});

const tail = (...args: string[]) => startCommand(["events", "tail", "--partner", "northwind", ...args], environment);
const idsOf = (command: RunningCommand) =>
  command
    .stdout()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).id as string);

/** The whole feed as the API gives it, in order. */
async function feed(): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = "", more = true; more; ) {
    const { body } = await eventually("the feed", async () => {
      const reply = await service.call("GET", `${BASE}/events?limit=100${after}`, { key });
      return reply.status === 200 ? reply : null;
    });
    events.push(...body.data);
    more = body.has_more;
    after = `&after=${body.next_cursor}`;
  }
  return events;
}

/** Creates clients through the API, again while the database is away. */
async function createClients(count: number, name: string): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await eventually("a client to be created", async () => {
      const headers = { "idempotency-key": `${name}-${turn}` };
      const { status } = await service.call("POST", `${BASE}/clients`, { key, headers, body: { company: `${name} ${turn}` } });
      return status === 201 || null;
    });
  }
}

test("once prints what is there, in the feed's order, and ends", async () => {
  const { code, stdout } = await runCommand(["events", "tail", "--partner", "northwind", "--once"], environment);
  const events = await feed();
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("  ")[1]),
  ).toEqual(events.map(({ id }) => id));
  const moved = events.find(({ type }) => type === "deal.stage_changed");
  const line = stdout.split("\n").find((one) => one.includes(moved.id));
  expect(line).toContain(`${moved.data.deal_id} `);
  expect(line).toContain(`${moved.data.from_stage} → ${moved.data.to_stage} by ${moved.data.changed_by}`);
});

test("begins with what comes next, or with the start, and takes only what was asked for", async () => {
  const before = (await feed()).length;
  const [next, start, suspended] = [
    tail("--json"),
    tail("--json", "--from-start"),
    tail("--json", "--from-start", "--type", "client.suspended"),
  ];
  for (const command of [start, suspended]) await command.says('"client.suspended"');
  await eventually("the follower to follow", () => next.stderr() === "" || null);
  await createClients(1, "Before");
  await start.says("Before 0");
  // Whether it followed by then is not known from outside: with --json it says nothing of itself.
  await createClients(3, "Next");
  await next.says("Next 2");
  await start.says("Next 2");
  const events = await feed();
  expect(idsOf(start)).toEqual(events.map(({ id }) => id));
  expect(idsOf(next)).toEqual(events.slice(-idsOf(next).length).map(({ id }) => id));
  expect(idsOf(next).length).toBeLessThanOrEqual(events.length - before);
  expect(idsOf(suspended)).toEqual(events.filter(({ type }) => type === "client.suspended").map(({ id }) => id));
  for (const [command, signal] of [
    [next, "SIGINT"],
    [start, "SIGTERM"],
    [suspended, "SIGHUP"],
  ] as const) {
    command.kill(signal);
    expect(await command.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  }
});

test("goes on without a gap or a double when the database was away", async () => {
  const follower = tail("--from-start", "--json");
  await follower.says("client.created");
  for (const round of ["First", "Second"]) {
    const writing = createClients(10, round);
    await follower.says(`${round} 1`);
    await killPostgres(data_dir.data);
    await writing;
  }
  await follower.says("Second 9");
  expect(idsOf(follower)).toEqual((await feed()).map(({ id }) => id));
  follower.kill("SIGTERM");
  expect((await follower.ended).code).toBe(0);
});

test("ends without an error when nobody reads it any more", async () => {
  const line = "(tributary events tail --partner northwind --from-start; echo $? >&2) | head -n 2";
  const following = startLine(line, environment, "/");
  await eventually("two lines", () => following.stdout().split("\n").length > 2 || null);
  await createClients(2, "Unread");
  const { stdout, stderr } = await following.ended;
  expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(stderr).toMatch(/^(Following; Ctrl-C ends it\.\n)?0\n$/);
});
