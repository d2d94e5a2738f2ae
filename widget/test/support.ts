import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { CHROMIUM, useBrowser } from "../../server/test/harness/browser.ts";
import type { TestDatabase } from "../../server/test/harness/database.ts";
import { killServices, type ServiceProcess, startService } from "../../server/test/harness/service-process.ts";
import { createDemoDatabase, DEMO_SECRET_KEY } from "../../server/test/harness/templates.ts";
import type { Json } from "../../server/test/harness/world.ts";
import { cleanUp, makeFolder } from "../../server/test/postgres/processes.ts";

export const PHONE = { width: 390, height: 844 };

/** A chat of the demo partner, in a real browser on the page of a shop that is not ours. */
export type Stage = {
  /** Makes a chat; the shop's page is allowed unless the configuration says otherwise. */
  newChat(config?: object): Promise<Json>;
  shop(): string;
  /** A page with the script on it. */
  open(channel: Json, options?: BrowserContextOptions): Promise<Page>;
  /** The API with the partner's key. */
  call(method: string, path: string, body?: unknown): ReturnType<ServiceProcess["call"]>;
  /** The team answers in the newest conversation of a chat. */
  reply(channel: Json, text: string): Promise<void>;
  /** What was said in it, in its order. */
  thread(channel: Json): Promise<string[]>;
  /** Kills the service, as a crash does, and brings it up again at the same address. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  faults(): string[];
};

export function inShop(what: string, tests: (stage: Stage) => void): void {
  if (CHROMIUM === null) process.stderr.write(`SKIPPED: ${what}, because no Chromium was found. CHROMIUM names one.\n`);
  describe.skipIf(CHROMIUM === null)(`${what} (needs Chromium)`, () => tests(useStage()));
}

function useStage(): Stage {
  let db: TestDatabase;
  let service: ServiceProcess;
  let environment: Record<string, string>;
  let key: string;
  let shop: Server;
  let made = 0;
  let faults: string[] = [];
  const origin = () => `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;

  beforeAll(async () => {
    const data_dir = await makeFolder();
    db = await createDemoDatabase(data_dir);
    const urls = { DATABASE_URL: db.url("service"), DATABASE_OWNER_URL: db.url("owner") };
    environment = { ...urls, SECRET_KEY: DEMO_SECRET_KEY, DATA_DIR: data_dir };
    service = await startService(environment);
    environment.PORT = new URL(service.base_url).port;
    key = (JSON.parse(await readFile(`${data_dir}/first-run.json`, "utf8")) as { api_key: string }).api_key;
    shop = createShop(() => service.base_url);
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    shop?.close();
    await killServices();
    await db?.disconnect();
    await cleanUp();
  });
  afterEach(() => {
    faults = [];
  });
  const { newContext } = useBrowser();

  const call: Stage["call"] = (method, path, body) =>
    service.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  const newestOf = async ({ id }: Json): Promise<string> =>
    (await call("GET", `/v1/conversations?channel_id=${id}`)).body.data[0].id as string;

  return {
    call,
    shop: origin,
    faults: () => faults,
    async newChat(config = {}) {
      made += 1;
      const body = { kind: "webchat", name: `Shop ${made}`, config: { origins: [origin()], title: "Harbour Bikes", ...config } };
      const { status, body: channel } = await call("POST", "/v1/channels", body);
      expect([status, channel]).toMatchObject([201, { kind: "webchat" }]);
      return channel;
    },
    async open({ hook_path }, options = {}) {
      const page = await (await newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
      watch(page, (fault) => void faults.push(fault));
      await page.goto(`${origin()}/?channel=${hook_path.slice("/chat/".length)}`);
      return page;
    },
    async reply(channel, text) {
      expect((await call("POST", `/v1/conversations/${await newestOf(channel)}/messages`, { text })).status).toBe(201);
    },
    async thread(channel) {
      const { body } = await call("GET", `/v1/conversations/${await newestOf(channel)}/messages?limit=100&kind=text`);
      return body.data.map(({ direction, text }: Json) => `${direction}: ${text}`).toReversed();
    },
    kill: () => service.kill(),
    async restart() {
      service = await startService(environment);
    },
  };
}

/** Reports what a visitor would not see go wrong. */
function watch(page: Page, report: (fault: string) => void): void {
  page.on("pageerror", (error) => report(error.message));
  page.on("dialog", (dialog) => {
    report(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error") report(message.text());
  });
}

/** A page of somebody else, under the strictest policy that lets the script in. */
function createShop(base_url: () => string): Server {
  return createServer((request, response) => {
    const channel = new URL(request.url ?? "/", "http://shop").searchParams.get("channel") ?? "";
    const policy = `default-src 'none'; img-src data:; script-src ${base_url()}; connect-src ${base_url()}`;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
    response.end(`<!doctype html>
<html lang="en"><head><meta name="viewport" content="width=device-width"><title>Shop</title><link rel="icon" href="data:,"></head>
<body><main><h1>Shop</h1></main><script async src="${base_url()}/chat/widget.js" data-channel="${channel}"></script></body></html>`);
  });
}
