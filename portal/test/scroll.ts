// Measures how much script runs while a table of 100,000 contacts is scrolled: `npm run scroll -w portal`.
// The service runs already, with the demo programme; DATA_DIR is its folder (default: data). The contacts are imported once.

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { chromiumOrNull } from "../../scripts/chromium.ts";

const ROWS = Number(process.env.ROWS ?? 100_000);
const STEP_PX = 300;
const STEPS = 100;
const ROOT = resolve(import.meta.dirname, "../..");

type FirstRun = { base_url: string; api_key: string; owner: { email: string; password: string } };

async function ask(first: FirstRun, path: string, csv?: string) {
  const headers = { authorization: `Bearer ${first.api_key}`, ...(csv === undefined ? {} : { "content-type": "text/csv" }) };
  const reply = await fetch(first.base_url + path, csv === undefined ? { headers } : { method: "POST", headers, body: csv });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** An account with the contacts, imported unless it has them. */
async function accountOf(first: FirstRun): Promise<string> {
  const { data } = await ask(first, "/v1/partners/clients?q=papaya");
  const account = data[0].id as string;
  const known = await ask(first, `/v1/contacts?account_id=${account}&q=${ROWS}`);
  if (known.data.length > 0) return account;
  const lines = Array.from({ length: ROWS }, (_, index) => `Row ${index + 1},+1628${2_000_000 + index}`);
  const { id } = await ask(first, `/v1/imports?account_id=${account}`, `name,phone\n${lines.join("\n")}\n`);
  while (!/completed|failed/.test((await ask(first, `/v1/imports/${id}`)).status)) await setTimeout(500);
  return account;
}

async function main() {
  const executablePath = chromiumOrNull();
  if (executablePath === null) throw new Error("No Chromium was found. CHROMIUM names one.");
  const data_dir = resolve(process.env.INIT_CWD ?? process.cwd(), process.env.DATA_DIR ?? join(ROOT, "data"));
  const first = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8")) as FirstRun;
  const account = await accountOf(first);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const headers = { origin: first.base_url };
  await context.request.post(`${first.base_url}/portal/api/session`, { data: first.owner, headers });
  const page = await context.newPage();
  await page.goto(`${first.base_url}/portal/crm/${account}/contacts`);
  await page.getByRole("row").nth(2).waitFor();
  await page.getByRole("table").hover();
  const cdp = await context.newCDPSession(page);
  // The time of the processor: it does not depend on what else runs on the machine.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const script_s = async () =>
    (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0;
  const before_s = await script_s();
  for (let step = 0; step < STEPS; step += 1) {
    await page.mouse.wheel(0, STEP_PX);
    await page.waitForTimeout(100);
  }
  const per_step_ms = ((await script_s()) - before_s) * (1000 / STEPS);
  const rows = await page.getByRole("row").count();
  process.stdout.write(`${per_step_ms.toFixed(1)} ms of script per ${STEP_PX} px, ${rows} rows drawn of ${ROWS}\n`);
  await browser.close();
}

await main();
