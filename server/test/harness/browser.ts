import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { chromiumOrNull } from "../../../scripts/chromium.ts";

/** The Chromium of this machine. */
export const CHROMIUM = chromiumOrNull();

/** Ends what hangs for ever. No promise of speed: the machine may be busy. */
const TIMEOUT_MS = Number(process.env.BROWSER_TIMEOUT_MS ?? 300_000);

/** How many times slower the pages run: finds tests that act before a page is ready (docs/quality.md). */
const SLOWDOWN = Number(process.env.BROWSER_SLOWDOWN ?? 1);

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/**
 * Parts of a whole browser that no page needs: its address bar alone takes a second of CPU time for each session. The list replaces that of
 * Playwright, so the names after the first three are from there.
 */
const WITHOUT = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "SpareRendererForSitePerProcess",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** One for all files of a process: it ends with the process. */
let launched: Promise<Browser> | null = null;

async function launch(): Promise<Browser> {
  // As root Chromium has no sandbox of its own; it only ever sees our own pages.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", `--disable-features=${WITHOUT.join()}`];
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args, timeout: TIMEOUT_MS });
  browser.on("disconnected", () => {
    launched = null;
  });
  return browser;
}

/** Of a session with the scripts of the service in its cache: to fetch and compile them takes a sixth of the CPU time of opening a page. */
type Warm = { context: BrowserContext; key: string };
type PageOptions = Omit<BrowserContextOptions, "storageState"> & { cookies?: Cookies };
type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** A real browser for the tests of one file, with sessions that end with the test. */
export function useBrowser() {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const lent: Warm[] = [];
  const free: Warm[] = [];
  beforeAll(async () => {
    launched ??= launch();
    browser = await launched;
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    for (const session of lent.splice(0)) await giveBack(session);
  });
  afterAll(async () => {
    for (const { context } of free.splice(0)) await context.close();
  });

  async function open(options: BrowserContextOptions): Promise<BrowserContext> {
    // What moves costs CPU time for every frame, and is in neither state in between.
    const still = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" } as const;
    const context = await browser.newContext({ ...still, ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    // A page that is closed meanwhile needs no slowing down.
    if (SLOWDOWN > 1) context.on("page", (page) => void slowDown(page).catch(() => {}));
    return context;
  }

  /** One in which further pages were opened may hold what those have stored, and is not used again. */
  async function giveBack(session: Warm): Promise<void> {
    const { context } = session;
    const pages = context.pages();
    if (pages.length !== 1) return context.close();
    await Promise.all(pages.map((page) => page.close()));
    await context.clearCookies();
    free.push(session);
  }

  return {
    async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
      const context = await open(options);
      contexts.push(context);
      return context;
    },
    /** A page in a session of its own, in which nothing is stored but these cookies and, in the cache, what may be kept for ever. */
    async newPage(origin: string, { cookies = [], ...options }: PageOptions = {}): Promise<Page> {
      const key = JSON.stringify(options);
      const at = free.findIndex((session) => session.key === key);
      const [session = { context: await open(options), key }] = at === -1 ? [] : free.splice(at, 1);
      lent.push(session);
      const page = await session.context.newPage();
      if (at !== -1) await clearStorage(page, origin);
      await session.context.addCookies(cookies);
      return page;
    },
  };
}

async function clearStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
}
