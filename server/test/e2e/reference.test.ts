import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, useBrowser } from "../harness/browser.ts";
import { makeDemoDataDir } from "../harness/data-dir.ts";
import { killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { cleanUp } from "../postgres/processes.ts";

describe.skipIf(CHROMIUM === null)("the reference in a browser (needs Chromium: CHROMIUM names it)", () => {
  const browser = useBrowser();
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

  test("a call made from the playground is answered, and the answer is shown", async () => {
    const page = await browser.newPage();
    const elsewhere: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(service.base_url)) elsewhere.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    await page.goto(`${service.base_url}/docs#tag/me/GET/v1/partners/me`);
    await page.getByPlaceholder("Token").first().fill(api_key);
    await page
      .getByRole("button", { name: /test request/i })
      .first()
      .click();
    const answered = page.waitForResponse((response) => response.url().endsWith("/v1/partners/me"));
    await page.getByRole("button", { name: /^send/i }).first().click();
    const response = await answered;
    expect(response.status()).toBe(200);
    const { partner_id } = (await response.json()) as { partner_id: string };
    await page.getByText("200 OK").first().waitFor();
    await page.getByText(partner_id).first().waitFor();
    expect(elsewhere).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("a problem's type leads to a page that says what to do, in dark and in light, also in a narrow window", async () => {
    const page = await browser.newPage();
    await page.setViewportSize({ width: 360, height: 700 });
    await page.goto(`${service.base_url}/docs/errors/rate_limit_exceeded`);
    await page.getByRole("heading", { name: "Too many requests." }).waitFor();
    const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    expect(widths).toEqual([360, 360]);
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background()).not.toBe(dark);
  });
});
