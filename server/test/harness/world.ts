import { randomBytes } from "node:crypto";
import type { LightMyRequestResponse as Response } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { type App, type AppOptions, createApp } from "../../src/app.ts";
import { insertKey } from "../../src/features/programme/keys/index.ts";
import { createPartner } from "../../src/features/programme/partners/index.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { type ClientAccess, OPERATOR_TENANT } from "../../src/kernel/principal.ts";
import { ALL_SCOPES, type Scope } from "../../src/kernel/scopes.ts";
import { apiKeyHint, hashApiKey, newApiKey } from "../../src/platform/crypto/api-key.ts";
import { readMigrations } from "../../src/platform/db/migrate.ts";
import { createContext, type Settings } from "../../src/platform/record/context.ts";
import { MIGRATIONS } from "../../src/service.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { checkReply, isEndless } from "./reply-schema.ts";

export const BASE = "/v1/partners";
export const ADMIN = "/v1/admin";
export const GENERAL = "/v1";

export type Reply = { status: number; headers: Record<string, string>; body: Json; text: string };
// A reply's body is looked into freely by tests; its shape has been checked against its schema before.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any;

/** A body that is text or bytes is sent as it is, any other as its JSON. */
export type CallOptions = { key?: string; body?: unknown; headers?: Record<string, string> };
export type TestPartner = { partner_id: string; key: string };

/** A clock that stands still until a test moves it. */
export type TestClock = Clock & { advance(duration_ms: number): void };

export type World = {
  app: App;
  db: TestDatabase;
  clock: TestClock;
  /** Calls the API over HTTP, in process. Every reply is checked against the schema of its route. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  newPartner(options?: { company?: string; branding?: object; api_access?: boolean }): Promise<TestPartner>;
  newKey(partner: TestPartner, options?: { scopes?: readonly Scope[]; clients?: ClientAccess }): Promise<string>;
  /** A key of the operator's. */
  newOperator(): Promise<string>;
  /** A client made through the API, as the reply shows it. */
  newClient(partner: TestPartner, fields?: object): Promise<Json>;
  /** A contact made through the API, with a phone of its own. */
  newContact(partner: TestPartner, fields?: object): Promise<Json>;
  /** A lead made through the API, named like everybody. */
  newLead(partner: TestPartner, fields?: object): Promise<Json>;
};

/** An application on a database of its own, for the tests of one file. In the role `api` nothing happens but what is asked for. */
export function useWorld(settings: Partial<Settings> = {}, role: "api" | "all" = "all", others: Partial<AppOptions> = {}): World {
  const world = {} as World;
  beforeAll(async () => {
    Object.assign(world, await openWorld(settings, role, others));
  });
  afterAll(async () => {
    await world.app.close();
    await world.db.drop();
  });
  return world;
}

async function openWorld(settings: Partial<Settings>, role: "api" | "all", others: Partial<AppOptions>): Promise<World> {
  const db = await createTestDatabase();
  const clock = createTestClock(new Date("2026-11-02T09:30:00.000Z"));
  const app = await createApp({
    connection: db.service,
    sandbox: db.sandbox,
    connections_max: 10,
    secret_key: randomBytes(32).toString("base64"),
    baseUrl: () => "http://tributary.test",
    migration: (await readMigrations(MIGRATIONS)).length,
    log: pino({ level: "silent" }),
    clock,
    // What is shown here is not how many; limits have a suite of their own.
    rate_limits: "off",
    settings,
    role,
    ...others,
  });
  app.setReadiness("ready");
  await db.sql("insert into programme (first_run_at, payout_schedule_since) values ($1, $1)", [clock.now()]);
  return {
    app,
    db,
    clock,
    call: (method, path, options = {}) => call(app, method, path, options),
    newPartner: (options) => newPartner(app, options),
    newKey: (partner, options) => newKey(app, partner.partner_id, options),
    newOperator: () => newKey(app, null),
    newClient: (partner, fields) => newClient(app, partner, fields),
    newContact: (partner, fields) => newContact(app, partner, fields),
    newLead: (partner, fields) => newLead(app, partner, fields),
  };
}

/** Some days before the time that retention goes by: that of the clock or of the database, whichever is earlier. */
export function keptDaysAgo({ clock }: World, days: number): Date {
  return new Date(Math.min(clock.now().getTime(), Date.now()) - days * 86_400_000);
}

function createTestClock(start: Date): TestClock {
  let now_ms = start.getTime();
  return {
    now: () => new Date(now_ms),
    advance(duration_ms) {
      now_ms += duration_ms;
    },
  };
}

async function call(app: App, method: string, path: string, { key, body, headers = {} }: CallOptions): Promise<Reply> {
  const endless = isEndless(method, path);
  const reply = await app.http.inject({
    method: method as "GET",
    payloadAsStream: endless,
    url: path,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  });
  const text = endless ? await firstMessage(reply) : reply.body;
  const type = String(reply.headers["content-type"] ?? "application/json");
  const parsed: unknown = text === "" ? null : /[/+]json/.test(type) ? JSON.parse(text) : text;
  checkReply(method, path, reply.statusCode, parsed, type);
  return { status: reply.statusCode, headers: reply.headers as Record<string, string>, body: parsed, text };
}

/** Of a stream without an end, its first message; of a refusal everything. */
async function firstMessage(reply: Response): Promise<string> {
  let text = "";
  for await (const chunk of reply.stream()) {
    text += chunk;
    if (reply.statusCode === 200 && text.includes("\n\n")) break;
  }
  reply.raw.res.destroy();
  return text;
}

async function newPartner(app: App, { company = "Test Agency", branding = {}, api_access = true } = {}): Promise<TestPartner> {
  const partner_id = newId("partner", Date.now());
  const ctx = createContext(app.services, { principal: { type: "system", partner_id } });
  const owner = { partner_id, email: `${partner_id}@test.example`, name: "Owner", role: "owner", password_hash: "" } as const;
  await createPartner(
    ctx,
    { id: partner_id, parent_id: null, company, grade: "gold", pinned: true, api_access, branding, currency: "usd" },
    owner,
  );
  return { partner_id, key: await newKey(app, partner_id) };
}

type KeyOptions = { scopes?: readonly Scope[]; clients?: ClientAccess };

async function newKey(
  app: App,
  partner_id: string | null,
  { scopes = ALL_SCOPES, clients = "all" }: KeyOptions = {},
): Promise<string> {
  const secret = newApiKey();
  const ctx = createContext(app.services, { principal: { type: "system", partner_id: partner_id ?? OPERATOR_TENANT } });
  await ctx.tx((tx) =>
    insertKey(tx, {
      partner_id,
      name: "Test",
      hash: hashApiKey(secret),
      hint: apiKeyHint(secret),
      scopes,
      clients,
      created_by: "system",
    }),
  );
  return secret;
}

async function newClient(app: App, { key }: TestPartner, fields: object = {}): Promise<Json> {
  const { status, body, text } = await call(app, "POST", `${BASE}/clients`, {
    key,
    body: { company: "Harbour Dental", ...fields },
  });
  if (status !== 201) throw new Error(`the client was not created: ${text}`);
  return body;
}

let phones = 0;

/** A phone number that no other call has got. */
export function nextPhone(): string {
  phones += 1;
  return `+1628${2_000_000 + phones}`;
}

async function newContact(app: App, { key }: TestPartner, fields: object = {}): Promise<Json> {
  const body = { name: "Ada Okafor", phone: nextPhone(), ...fields };
  const reply = await call(app, "POST", `${GENERAL}/contacts`, { key, body });
  if (reply.status !== 201) throw new Error(`the contact was not created: ${reply.text}`);
  return reply.body;
}

async function newLead(app: App, { key }: TestPartner, fields: object = {}): Promise<Json> {
  const reply = await call(app, "POST", `${GENERAL}/leads`, { key, body: { name: "Ada Okafor", ...fields } });
  if (reply.status !== 201) throw new Error(`the lead was not created: ${reply.text}`);
  return reply.body;
}
