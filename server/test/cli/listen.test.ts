import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killCommands, runCommand, startCommand } from "../harness/command.ts";
import { type DataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { BASE } from "../harness/world.ts";
import { cleanUp, eventually } from "../postgres/processes.ts";

const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes....").toString("base64")}`;

let data_dir: DataDir;
let service: ServiceProcess;
let key: string;
let environment: Record<string, string>;
let receiver: Server;
let answer = 200;
const received: { body: string; headers: IncomingHttpHeaders }[] = [];

beforeAll(async () => {
  data_dir = await makeDemoDataDir();
  service = await startService({ DATA_DIR: data_dir.path });
  key = (await data_dir.firstRun()).api_key;
  environment = { DATA_DIR: data_dir.path, PORT: new URL(service.base_url).port, TRIBUTARY_API_KEY: key };
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers });
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  receiver.close();
  await killCommands();
  await killServices();
  await cleanUp();
});

const target = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
const listen = (...args: string[]) => ["webhooks", "listen", "--forward-to", target(), ...args];
const createClient = async (company: string) =>
  (await service.call("POST", `${BASE}/clients`, { key, body: { company } })).body.id as string;

test("what comes next is forwarded in order, and verifies with the libraries of both families", async () => {
  const running = startCommand(listen("--secret", SECRET), environment);
  await running.says("Forwarding");
  const ids = [await createClient("First"), await createClient("Second")];
  await eventually("four deliveries", () => received.length >= 4 || null);
  running.kill("SIGTERM");
  expect((await running.ended).code).toBe(0);
  const events = received.map(({ body }) => JSON.parse(body));
  expect(events.map(({ type, data }) => [type, data.client_id])).toEqual(
    ids.flatMap((id) => [
      ["client.created", id],
      ["client.activated", id],
    ]),
  );
  for (const { body, headers } of received) {
    const signature = String(headers["x-service-signature"]);
    expect(Stripe.webhooks.constructEvent(body, signature, SECRET).id).toBe(JSON.parse(body).id);
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  }
  expect(running.stdout()).toMatch(/client\.created +200 in \d+ ms {2}First/);
});

test("what the receiver refuses, or does not answer, is told and passed by", async () => {
  answer = 500;
  const refused = await runCommand(listen("--once", "--json", "--type", "client.churned"), environment);
  const [first, ...lines] = refused.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(refused.code).toBe(0);
  expect(first).toEqual({ forward_to: target(), secret: expect.stringMatching(/^whsec_/) });
  expect(lines.length).toBeGreaterThan(0);
  expect(new Set(lines.map(({ type, status }) => `${type} ${status}`))).toEqual(new Set(["client.churned 500"]));
  const nobody = ["webhooks", "listen", "--forward-to", "http://127.0.0.1:1234/", "--once", "--type", "client.churned"];
  expect((await runCommand(nobody, environment)).stdout).toMatch(/no answer: ECONNREFUSED/);
});

test.each([
  ["trb_wrong", ["--forward-to", "http://127.0.0.1:1234/"], 1, /key is not valid|mistyped/i],
  ["", ["--forward-to", "http://127.0.0.1:1234/", "--secret", "nonsense"], 2, /whsec_/],
  ["", ["--forward-to", "ftp://x"], 2, /http or https/],
])("with the key %j, %j is refused in words", async (other_key, args, code, words) => {
  const ended = await runCommand(["webhooks", "listen", ...args], { ...environment, TRIBUTARY_API_KEY: other_key || key });
  expect([ended.code, ended.stdout]).toEqual([code, ""]);
  expect(ended.stderr).toMatch(words);
});

test("without a key it says how to give one", async () => {
  const { TRIBUTARY_API_KEY: _, ...without } = environment;
  const ended = await runCommand(listen(), without);
  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toContain("TRIBUTARY_API_KEY");
});
