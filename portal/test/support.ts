import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { CHROMIUM, useBrowser } from "../../server/test/harness/browser.ts";
import type { TestDatabase } from "../../server/test/harness/database.ts";
import { type ServiceHere, startHere } from "../../server/test/harness/service-here.ts";
import { createDemoDatabase, DEMO_SECRET_KEY } from "../../server/test/harness/templates.ts";
import { cleanUp, makeFolder } from "../../server/test/postgres/processes.ts";

type Person = { email: string; password: string };
/** What the first start wrote down. */
export type FirstRun = { partner_id: string; api_key: string; operator_key: string; owner: Person; operator: Person };
type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

type Who = "owner" | "operator" | keyof typeof COLLEAGUES;

/** Colleagues of the owner, who come when a test asks for them. */
const COLLEAGUES = {
  reader: { name: "Rea Doran", email: "rea@northwind.example", role: "read_only" },
  admin: { name: "Ada Mirren", email: "ada@northwind.example", role: "admin" },
} as const;

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export type OpenOptions = Pick<BrowserContextOptions, "viewport" | "colorScheme" | "permissions" | "timezoneId"> & {
  /** Default: the owner of the demo partner. A reader and an admin are colleagues of those roles. Null: nobody is signed in. */
  as?: Who | null;
};

/** The portal of a real service with the demo programme, in a real browser. */
export type Portal = {
  base_url(): string;
  first(): FirstRun;
  /** The API with the partner's key, to arrange what a test needs and to see what it did. */
  call(method: string, path: string, body?: unknown): ReturnType<ServiceHere["call"]>;
  /** The database, for faults that nobody can provoke through the API. */
  sql(text: string): Promise<unknown>;
  /** Lets the passwords of all sessions be as old as they are after an hour. */
  ageSessions(): Promise<unknown>;
  /** Opens a page of the portal, signed in, in a browser session of its own, and waits for its heading. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Opens a page outside the portal, such as one for payers, as somebody who is not signed in. */
  visit(address: string, options?: BrowserContextOptions): Promise<Page>;
  /** Lets a fault be that this test provokes: a refused request, and what the browser says about it. */
  allow(pattern: RegExp): void;
};

/**
 * Tests in a browser. They share a service and a browser; each page has a session of its own. After each test nothing may have gone
 * wrong unseen: no error in the console, no violation of the content policy, no failed request.
 */
export function inBrowser(what: string, tests: (portal: Portal) => void, settings: Record<string, string> = {}): void {
  if (CHROMIUM === null) process.stderr.write(`SKIPPED: ${what}, because no Chromium was found. CHROMIUM names one.\n`);
  describe.skipIf(CHROMIUM === null)(`${what} (needs Chromium)`, () => tests(usePortal(settings)));
}

function usePortal(settings: Record<string, string>): Portal {
  const sessions = new Map<string, Cookies>();
  let faults: string[] = [];
  let allowed: RegExp[] = [];
  let db: TestDatabase;
  let service: ServiceHere;
  let first: FirstRun;

  beforeAll(async () => {
    const data_dir = await makeFolder();
    db = await createDemoDatabase(data_dir);
    const urls = { DATABASE_URL: db.url("service"), DATABASE_OWNER_URL: db.url("owner") };
    service = await startHere({ ...urls, SECRET_KEY: DEMO_SECRET_KEY, DATA_DIR: data_dir, ...settings });
    expect((await fetch(`${service.base_url}/portal/`)).status, "node scripts/prepare.mjs portal builds the portal").toBe(200);
    first = JSON.parse(await readFile(`${data_dir}/first-run.json`, "utf8")) as FirstRun;
  });
  afterEach(() => {
    const unseen = faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)));
    faults = [];
    allowed = [];
    expect(unseen).toEqual([]);
  });
  afterAll(async () => {
    await service?.stop();
    await db?.disconnect();
    await cleanUp();
  });
  // The last to be told of, so that its sessions end before the faults are looked at.
  const { newContext, newPage } = useBrowser();

  /** Signs in once per person; every further page starts with that session. */
  async function cookiesOf(who: Who): Promise<Cookies> {
    const known = sessions.get(who);
    if (known !== undefined) return known;
    const context = await newContext();
    const headers = { origin: service.base_url };
    const data = who === "owner" || who === "operator" ? first[who] : await newColleague(service, db, first, who);
    const reply = await context.request.post(`${service.base_url}/portal/api/session`, { data, headers });
    expect(reply.status(), await reply.text()).toBe(201);
    const cookies = await context.cookies();
    sessions.set(who, cookies);
    return cookies;
  }

  return {
    base_url: () => service.base_url,
    first: () => first,
    call: (method, path, body) => service.call(method, path, { key: first.api_key, ...(body === undefined ? {} : { body }) }),
    sql: (text) => db.sql(text),
    ageSessions: () => db.sql("update sessions set authenticated_at = authenticated_at - interval '1 hour'"),
    allow: (pattern) => void allowed.push(pattern),
    async open(path, { as = "owner", ...options } = {}) {
      const cookies = as === null ? [] : await cookiesOf(as);
      const page = await newPage(service.base_url, { viewport: DESK, ...options, cookies });
      watch(page, service.base_url, (fault) => void faults.push(fault));
      await page.goto(`${service.base_url}/portal${path}`);
      await page.locator("h1").first().waitFor();
      return page;
    },
    async visit(address, options = {}) {
      const page = await newPage(service.base_url, { viewport: DESK, ...options });
      watch(page, service.base_url, (fault) => void faults.push(fault));
      await page.goto(new URL(address, service.base_url).href);
      return page;
    },
  };
}

/** A colleague of the owner, with the owner's password. */
async function newColleague(
  service: ServiceHere,
  db: TestDatabase,
  { api_key, owner }: FirstRun,
  who: keyof typeof COLLEAGUES,
): Promise<Person> {
  const { role, ...person } = COLLEAGUES[who];
  // A key invites readers and members; more is for people.
  const body = { ...person, role: "read_only", accounts: "all" };
  expect((await service.call("POST", "/v1/partners/users", { key: api_key, body })).status).toBe(201);
  await db.sql(
    `update users set state = 'active', role = $3, password_hash = (select password_hash from users where email = $1)
     where email = $2`,
    [owner.email, body.email, role],
  );
  return { email: body.email, password: owner.password };
}

/** Reports what a person would not see go wrong. */
function watch(page: Page, base_url: string, report: (fault: string) => void): void {
  page.on("console", (message) => {
    if (message.type() === "error") report(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => report(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(base_url)) report(`elsewhere: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) report(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
}

/** Nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** Nothing has to be scrolled sideways, once what measures itself has done so. */
export async function expectFits(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

/** Nothing that WCAG 2.2 AA forbids, as far as a program can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessFaults(page)).toEqual([]);
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);
/** A script that does nothing: the page has axe already. */
const NOTHING = "true";

/** What axe finds, and where; only by this rule, if one is named. */
export async function accessFaults(page: Page, rule?: string): Promise<string[]> {
  // Once for each document: the builder would load a larger one, and twice for each report.
  await faded(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  // No frames of others: a second page for each report, and the details of what is right, are not needed.
  const axe = new AxeBuilder({ page, axeSource: NOTHING }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (rule === undefined ? axe.withTags(WCAG) : axe.withRules(rule)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** A row of the table of the page by what stands in it. */
export const row = (page: Page, text: string | RegExp) => page.getByRole("row").filter({ hasText: text });

/** What appears or changes its colour does so over some frames: in between its colours are those of neither state. */
async function faded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    // One that is paused ends never.
    const soon = new Promise((resolve) => setTimeout(resolve, 5_000));
    await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), soon]);
  });
}
