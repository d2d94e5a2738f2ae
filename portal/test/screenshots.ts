// Draws every page of the portal, for people to look at: `npm run screenshots -w portal -- <folder> [<pattern>]`.
// The service runs already, with the demo programme; DATA_DIR is its folder (default: data).

import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";
import { runnerImport } from "vite";
import { chromiumOrNull } from "../../scripts/chromium.ts";
import type { PageRoute } from "../src/ui/route.ts";
import { addressOf, examplesOf } from "./addresses.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** npm runs scripts in the workspace; the folder is meant from where npm was called. */
const HERE = process.env.INIT_CWD ?? process.cwd();
const DESK = { width: 1440, height: 900 };

const LOOKS: Record<string, BrowserContextOptions> = {
  light: { viewport: DESK, colorScheme: "light" },
  dark: { viewport: DESK, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

type Person = { email: string; password: string };
type FirstRun = { base_url: string; api_key: string; operator_key: string; partner_id: string; owner: Person; operator: Person };
type Shot = { name: string; address: string };

/** Pages as they are first seen, and a few with something open. */
const OPEN: readonly string[] = [
  "/clients?new=yes",
  "/settings/api?new=yes",
  "/deals?view=table",
  "/settings/team?new=yes",
  "/earn/links?new=yes",
];

/** The routes are React's files, which Node does not read by itself. */
async function routesOf(file: string, name: string): Promise<readonly PageRoute[]> {
  const { module } = await runnerImport<Record<string, readonly PageRoute[]>>(join(ROOT, "portal/src", file), {
    logLevel: "error",
  });
  return module[name] ?? [];
}

const nameOf = (path: string) => path.replaceAll("$", "").replaceAll(/\W+/g, "-").replaceAll(/^-|-$/g, "") || "home";

async function draw(browser: Browser, first: FirstRun, who: "owner" | "operator", shots: readonly Shot[], folder: string) {
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(300_000);
    const headers = { origin: first.base_url };
    const reply = await context.request.post(`${first.base_url}/portal/api/session`, { data: first[who], headers });
    if (!reply.ok()) throw new Error(`${who}: ${reply.status()} ${await reply.text()}`);
    const page = await context.newPage();
    for (const { name, address } of shots) {
      await page.goto(`${first.base_url}/portal${address}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
      await page.waitForTimeout(400); // Panels slide in.
      await page.screenshot({ path: join(folder, `${who}-${name}-${look}.png`), animations: "disabled" });
    }
    await context.close();
  }
}

async function main([folder, pattern = ""]: readonly string[]) {
  if (folder === undefined) throw new Error("Name the folder for the pictures.");
  const executablePath = chromiumOrNull();
  if (executablePath === null) throw new Error("No Chromium was found. CHROMIUM names one.");
  const data_dir = resolve(HERE, process.env.DATA_DIR ?? join(ROOT, "data"));
  const first = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8")) as FirstRun;
  const to = resolve(HERE, folder);
  await mkdir(to, { recursive: true });
  // Every third delivery fails, so that there is something to see.
  let received = 0;
  const receiver = createServer((_, reply) => reply.writeHead(received++ % 3 === 1 ? 503 : 200).end("thanks")).listen(
    0,
    "127.0.0.1",
  );
  await once(receiver, "listening");
  const { port } = receiver.address() as { port: number };
  const examples = examplesOf({ ...first, receiver: `http://127.0.0.1:${port}/hooks` });
  const shown = async (routes: readonly PageRoute[]): Promise<Shot[]> => {
    const paths = routes.filter(({ path }) => nameOf(path).includes(pattern));
    return Promise.all(paths.map(async (route) => ({ name: nameOf(route.path), address: await addressOf(route, examples) })));
  };
  const open = OPEN.map((address) => ({ name: nameOf(address), address })).filter(({ name }) => name.includes(pattern));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  await draw(browser, first, "owner", [...(await shown(await routesOf("app/routes.tsx", "ROUTES"))), ...open], to);
  await draw(browser, first, "operator", await shown(await routesOf("operator/routes.tsx", "OPERATOR_ROUTES")), to);
  await browser.close();
  receiver.close();
}

await main(process.argv.slice(2));
