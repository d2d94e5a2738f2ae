import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ROUTES } from "../src/app/routes.tsx";
import { OPEN_ROUTES } from "../src/app/session/routes.tsx";
import { OPERATOR_ROUTES } from "../src/operator/routes.tsx";
import { addressOf, examplesOf } from "./addresses.ts";
import { accessFaults, DESK, inBrowser, settled } from "./support.ts";

/** The narrowest screen for which nothing may have to be scrolled sideways (WCAG 1.4.10). The board scrolls inside itself. */
const NARROW = { width: 320, height: 700 };

/** What is wrong with a page as it is seen: read on a desk by day and by night, and on a narrow screen. */
async function faultsOf(page: Page): Promise<string[]> {
  const light = await accessFaults(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  const dark = await accessFaults(page, "color-contrast");
  await page.setViewportSize(NARROW);
  await settled(page);
  // What measures itself draws once more.
  await page
    .waitForFunction((width) => document.documentElement.scrollWidth <= width, NARROW.width, { timeout: 5_000 })
    .catch(() => {});
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(DESK);
  return [
    ...light,
    ...dark.map((fault) => `dark: ${fault}`),
    ...(width > NARROW.width ? [`${width} px wide at ${NARROW.width}`] : []),
  ];
}

/** Goes to a page of the portal as a link does: loading it anew for each page would take most of the time. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    document.querySelector("h1")?.setAttribute("data-left", "");
    history.pushState(null, "", to);
  }, `/portal${address}`);
  await page.locator("h1:not([data-left])").first().waitFor();
  await settled(page);
}

/** The simulator is a page, and is there in development. */
const SETTINGS = { EGRESS: "development" };

inBrowser(
  "every page",
  (portal) => {
    const PEOPLE = [
      { as: "owner", routes: ROUTES },
      { as: "operator", routes: OPERATOR_ROUTES },
    ] as const;

    test.for(PEOPLE)(
      "$as: each has a heading, is accessible by day and by night, and fits a narrow screen",
      async ({ as, routes }) => {
        const { api_key, operator_key, partner_id } = portal.first();
        const examples = examplesOf({
          base_url: portal.base_url(),
          api_key,
          operator_key,
          partner_id,
          receiver: "https://hooks.example.com/tributary",
        });
        const page = await portal.open("/no-such-page", { as, viewport: DESK, colorScheme: "light" });
        const faults: Record<string, string[]> = {};
        for (const route of routes) {
          await goTo(page, await addressOf(route, examples));
          const found = await faultsOf(page);
          if (found.length > 0) faults[route.path] = found;
        }
        expect(faults).toEqual({});
      },
    );

    test("so has each page of people who are not signed in", async () => {
      // Nobody is signed in, and no link has this token.
      portal.allow(/401|422/);
      const page = await portal.open("/sign-in", { as: null, viewport: DESK, colorScheme: "light" });
      const faults: Record<string, string[]> = {};
      for (const { path } of OPEN_ROUTES) {
        await page.goto(`${portal.base_url()}/portal${path}#token=none`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await page.waitForLoadState("networkidle");
        const found = await faultsOf(page);
        if (found.length > 0) faults[path] = found;
      }
      expect(faults).toEqual({});
    });
  },
  SETTINGS,
);
