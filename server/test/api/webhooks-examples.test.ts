import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWebhookSecret, signatureHeaders } from "../../src/platform/crypto/webhook-signature.ts";
import { newEndpoint, queuedFor } from "../harness/webhooks.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const EXAMPLES = fileURLToPath(new URL("../../../docs/examples/webhooks/", import.meta.url));
const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const HAS_PYTHON = isThere("python3", "--version");
const HAS_OPENSSL = isThere("openssl", "version") && isThere("sh", "-c", "exit 0");

/** The secret of a real endpoint, and a real event as it is sent there. */
let secret: string;
let event_id: string;
let body: Buffer;

beforeAll(async () => {
  const partner = await world.newPartner();
  const endpoint = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
  await world.newClient(partner, { company: "Café Über" });
  secret = endpoint.secret;
  event_id = (await queuedFor(world, endpoint.id))[0]?.event_id ?? "";
  const [row] = await world.db.sql<{ body: Buffer }>("select body from events where id = $1", [event_id]);
  body = row?.body ?? Buffer.of();
});

type Delivery = { headers: Record<string, string>; body: Buffer };

type Making = { secrets?: string[]; signed?: Buffer; sent?: Buffer; age_seconds?: number };

function deliver({ secrets = [secret], signed = body, sent = signed, age_seconds = 0 }: Making = {}): Delivery {
  const at_seconds = Math.floor(Date.now() / 1000) - age_seconds;
  return { headers: signatureHeaders({ brand: "Service", event_id, secrets, body: signed, at_seconds }), body: sent };
}

/** Each way in which a delivery is good or bad. */
const CASES: [what: string, good: boolean, make: () => Delivery][] = [
  ["as it is sent", true, () => deliver()],
  ["while the secret is rotated, with the new one first", true, () => deliver({ secrets: [newWebhookSecret(), secret] })],
  ["while the secret is rotated, with the new one last", true, () => deliver({ secrets: [secret, newWebhookSecret()] })],
  ["with a changed byte", false, () => deliver({ sent: Buffer.from(body.toString().replace('"usd"', '"eur"')) })],
  ["with a line end more", false, () => deliver({ sent: Buffer.concat([body, Buffer.from("\n")]) })],
  ["signed with another secret", false, () => deliver({ secrets: [newWebhookSecret()] })],
  ["of six minutes ago", false, () => deliver({ age_seconds: 360 })],
  ["of six minutes hence", false, () => deliver({ age_seconds: -360 })],
  ["without a signature", false, () => ({ headers: {}, body })],
];

function post(port: number, { headers, body }: Delivery): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method: "POST", headers: { ...headers, "content-length": body.length } };
    const sending = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sending.on("error", reject);
    sending.end(body);
  });
}

describe.each([
  ["receiver.mjs", process.execPath, true],
  ["receiver.py", "python3", HAS_PYTHON],
])("docs/examples/webhooks/%s", (file, command, there) => {
  let receiver: ChildProcess;
  let lines: Interface;
  const printed: string[] = [];
  let port = 0;

  beforeAll(async () => {
    if (!there) return;
    receiver = spawn(command, [join(EXAMPLES, file)], { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" } });
    lines = createInterface({ input: receiver.stdout ?? process.stdin });
    port = await new Promise<number>((resolve, reject) => {
      receiver.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)));
      lines.on("line", (line) => {
        printed.push(line);
        if (line.startsWith("listening ")) resolve(Number(line.split(" ")[1]));
      });
    });
  });
  afterAll(() => void receiver?.kill());

  test.skipIf(!there).each(CASES)("a delivery %s: accepted %s", async (_, good, make) => {
    expect(await post(port, make())).toBe(good ? 204 : 400);
  });

  test.skipIf(!there)("the same event is acted on once, however often it came", async () => {
    for (let count = 0; count < 2; count += 1) expect(await post(port, deliver())).toBe(204);
    const last = Buffer.from(JSON.stringify({ id: "evt_last", type: "client.churned", created: 0, data: {} }));
    expect(await post(port, deliver({ signed: last }))).toBe(204);
    await expect.poll(() => printed).toContain("client.churned evt_last");
    expect(printed.filter((line) => line === `client.created ${event_id}`)).toHaveLength(1);
  });
});

describe("docs/examples/webhooks/verify.sh", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tributary-verify-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.skipIf(!HAS_OPENSSL).each(CASES)("a delivery %s: accepted %s", async (_, good, make) => {
    const { headers, body } = make();
    const file = join(folder, "body.json");
    await writeFile(file, body);
    const args = [join(EXAMPLES, "verify.sh"), file, headers["X-Service-Signature"] ?? ""];
    const output = await new Promise<string>((resolve) => {
      execFile("sh", args, { env: { ...process.env, WEBHOOK_SECRET: secret } }, (_error, stdout) => resolve(stdout.trim()));
    });
    expect(output).toBe(good ? "signed" : "not signed");
  });
});
