import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, useBrowser } from "../harness/browser.ts";
import { makeDemoDataDir } from "../harness/data-dir.ts";
import { killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { cleanUp } from "../postgres/processes.ts";

describe.skipIf(CHROMIUM === null)("the reference in a browser (needs Chromium: CHROMIUM names it)", () => {
  const { newContext } = useBrowser();
  const newPage = async () => (await newContext()).newPage();
  let service: ServiceProcess;
  let api_key: string;

  beforeAll(async () => {
    const data_dir = await makeDemoDataDir();
    service = await startService({ DATA_DIR: data_dir.path });
    api_key = (await data_dir.firstRun()).api_key;
  });
  afterAll(async () => {
    await killServices();
    await cleanUp();
  });

  /** Opens an operation of the reference and sends its request as the playground fills it in. */
  async function tryOut(page: Page, operation: string): Promise<Response> {
    await page.goto(`${service.base_url}/docs#${operation}`);
    const section = page.locator(`[id$="${operation}"]`).first();
    await section.scrollIntoViewIfNeeded();
    await section
      .getByRole("button", { name: /test request/i })
      .first()
      .click();
    const path = operation.replace(/^.*\/GET/, "");
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    await page.getByRole("button", { name: /^send/i }).first().click();
    return answered;
  }

  // One page for all of it, because opening it takes most of the time.
  test("calls made from the playground are answered: refused without a key and a session, with a key a list finds something at once", async () => {
    const page = await newPage();
    const elsewhere: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(service.base_url)) elsewhere.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });

    const refused = await tryOut(page, "tag/clients/GET/v1/partners/clients");
    expect([refused.status(), (await refused.json()).code]).toEqual([401, "invalid_credentials"]);
    await page.getByText("401 Unauthorized").first().waitFor();
    expect(await page.getByRole("note").count()).toBe(0);
    expect(faults.splice(0)).toEqual([expect.stringContaining("401")]);

    await page.keyboard.press("Escape");
    await page.getByPlaceholder("Token").first().fill(api_key);
    const me = await tryOut(page, "tag/me/GET/v1/partners/me");
    expect(me.status()).toBe(200);
    const { partner_id } = (await me.json()) as { partner_id: string };
    await page.getByText("200 OK").first().waitFor();
    await page.getByText(partner_id).first().waitFor();

    await page.keyboard.press("Escape");
    const contacts = await tryOut(page, "tag/contacts/GET/v1/contacts");
    // No filter is sent before it is chosen.
    expect([contacts.status(), new URL(contacts.url()).search]).toEqual([200, ""]);
    expect(((await contacts.json()) as { data: unknown[] }).data).not.toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("errors and guides are pages that can be read, in dark and in light, also in a narrow window", async () => {
    const page = await newPage();
    await page.setViewportSize({ width: 360, height: 700 });
    await page.goto(`${service.base_url}/docs/errors/rate_limit_exceeded`);
    await page.getByRole("heading", { name: "Too many requests." }).waitFor();
    const isNarrow = async () =>
      expect(await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")).toEqual([360, 360]);
    await isNarrow();
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background()).not.toBe(dark);
    await page.goto(`${service.base_url}/docs/errors`);
    await isNarrow();
    await page.getByRole("link", { name: "Menu" }).click();
    await page.getByRole("link", { name: "General API" }).click();
    await page.getByRole("heading", { name: "Custom fields", exact: true }).waitFor();
    await isNarrow();
  });
});
