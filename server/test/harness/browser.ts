import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/opt/google/chrome/chrome"];

/** The Chromium of this machine: `CHROMIUM` names one that stands elsewhere. Null where there is none. */
export const CHROMIUM = [process.env.CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path)) ?? null;

/** A real browser for the tests of one file, each page in a session of its own. */
export function useBrowser(): { newPage(): Promise<Page> } {
  let browser: Browser;
  beforeAll(async () => {
    // As root Chromium has no sandbox of its own; it only ever sees our own pages.
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  afterAll(() => browser?.close());
  return { newPage: () => browser.newPage({ viewport: { width: 1400, height: 900 } }) };
}
