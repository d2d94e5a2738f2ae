import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { chromiumOrNull } from "../../../scripts/chromium.ts";

/** The Chromium of this machine. */
export const CHROMIUM = chromiumOrNull();

/** A real browser for the tests of one file, each page in a session of its own. */
export function useBrowser(): { browser(): Browser; newPage(): Promise<Page> } {
  let browser: Browser;
  beforeAll(async () => {
    // As root Chromium has no sandbox of its own; it only ever sees our own pages.
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  afterAll(() => browser?.close());
  return { browser: () => browser, newPage: () => browser.newPage({ viewport: { width: 1400, height: 900 } }) };
}
