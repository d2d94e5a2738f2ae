// Draws every page of the portal, for people to look at: `npm run screenshots -w portal -- <folder> [<pattern>]`.
// With `--readme <folder>` it draws the pictures of README.md, which are in docs/images.
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

const PHONE = { isMobile: true, hasTouch: true };

const LOOKS: Record<string, BrowserContextOptions> = {
  light: { viewport: DESK, colorScheme: "light" },
  dark: { viewport: DESK, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", ...PHONE, deviceScaleFactor: 2 },
};

type Person = { email: string; password: string };
type FirstRun = { base_url: string; api_key: string; operator_key: string; partner_id: string; owner: Person; operator: Person };
type Shot = { file: string; address: string };

/** The pictures of README.md. */
const PICTURES: readonly { name: string; address: string; options: BrowserContextOptions }[] = [
  { name: "home", address: "/", options: { viewport: { width: 1280, height: 760 } } },
  { name: "board", address: "/deals", options: { viewport: DESK } },
  { name: "key", address: "/settings/api?new=yes", options: { viewport: DESK } },
  { name: "phone", address: "/", options: { viewport: { width: 390, height: 760 }, ...PHONE, deviceScaleFactor: 1.5 } },
];

/** Pages as they are first seen, and a few with something open. */
const OPEN: readonly string[] = [
  "/clients?new=yes",
  "/settings/api?new=yes",
  "/deals?view=table",
  "/settings/team?new=yes",
  "/earn/links?new=yes",
  "/crm/house/agents?new=yes",
  "/crm/house/knowledge?new=yes",
  "/crm/house/payment-links?new=yes",
  "/crm/house/payment-providers?new=yes",
];
const OPERATOR_OPEN: readonly string[] = ["/payout-runs/new?show=blocked", "/payouts?do=outcomes"];

/** The routes are React's files, which Node does not read by itself. */
async function routesOf(file: string, name: string): Promise<readonly PageRoute[]> {
  const { module } = await runnerImport<Record<string, readonly PageRoute[]>>(join(ROOT, "portal/src", file), {
    logLevel: "error",
  });
  return module[name] ?? [];
}

const nameOf = (path: string) => path.replaceAll("$", "").replaceAll(/\W+/g, "-").replaceAll(/^-|-$/g, "") || "home";

async function draw(
  browser: Browser,
  first: FirstRun,
  who: "owner" | "operator",
  options: BrowserContextOptions,
  shots: readonly Shot[],
) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(300_000);
  const headers = { origin: first.base_url };
  const reply = await context.request.post(`${first.base_url}/portal/api/session`, { data: first[who], headers });
  if (!reply.ok()) throw new Error(`${who}: ${reply.status()} ${await reply.text()}`);
  const page = await context.newPage();
  for (const { file, address } of shots) {
    await page.goto(`${first.base_url}/portal${address}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
    await page.waitForTimeout(400); // Panels slide in.
    await page.screenshot({ path: file, animations: "disabled" });
  }
  await context.close();
}

async function drawPictures(browser: Browser, first: FirstRun, to: string) {
  for (const { name, address, options } of PICTURES)
    for (const colorScheme of ["light", "dark"] as const)
      await draw(browser, first, "owner", { ...options, colorScheme }, [
        { file: join(to, `${name}-${colorScheme}.png`), address },
      ]);
}

async function drawPages(browser: Browser, first: FirstRun, to: string, pattern: string) {
  // Every third delivery fails, so that there is something to see.
  let received = 0;
  const receiver = createServer((_, reply) => reply.writeHead(received++ % 3 === 1 ? 503 : 200).end("thanks")).listen(
    0,
    "127.0.0.1",
  );
  await once(receiver, "listening");
  const { port } = receiver.address() as { port: number };
  const examples = examplesOf({ ...first, receiver: `http://127.0.0.1:${port}/hooks` });
  const drawAll = async (who: "owner" | "operator", routes: readonly PageRoute[], open: readonly string[]) => {
    const paths = routes.filter(({ path }) => nameOf(path).includes(pattern));
    const pages = await Promise.all(paths.map(async (route) => [nameOf(route.path), await addressOf(route, examples)] as const));
    const opened = open.map((address) => [nameOf(address), address] as const).filter(([name]) => name.includes(pattern));
    for (const [look, options] of Object.entries(LOOKS)) {
      const fileOf = (name: string) => join(to, `${who}-${name}-${look}.png`);
      const shots = [...pages, ...opened].map(([name, address]) => ({ file: fileOf(name), address }));
      await draw(browser, first, who, options, shots);
    }
  };
  await drawAll("owner", await routesOf("app/routes.tsx", "ROUTES"), OPEN);
  await drawAll("operator", await routesOf("operator/routes.tsx", "OPERATOR_ROUTES"), OPERATOR_OPEN);
  receiver.close();
}

async function main(words: readonly string[]) {
  const [folder, pattern = ""] = words.filter((word) => word !== "--readme");
  if (folder === undefined) throw new Error("Name the folder for the pictures.");
  const executablePath = chromiumOrNull();
  if (executablePath === null) throw new Error("No Chromium was found. CHROMIUM names one.");
  const data_dir = resolve(HERE, process.env.DATA_DIR ?? join(ROOT, "data"));
  const first = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8")) as FirstRun;
  const to = resolve(HERE, folder);
  await mkdir(to, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  if (words.includes("--readme")) await drawPictures(browser, first, to);
  else await drawPages(browser, first, to, pattern);
  await browser.close();
}

await main(process.argv.slice(2));
