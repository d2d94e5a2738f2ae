import { expect, test } from "vitest";
import { expectAccessible, expectFits, inBrowser, PHONE, row, settled } from "../support.ts";

const LIST = "/v1/partners/clients";

inBrowser("events, audit log, company and reference", (portal) => {
  const clientOf = async (company: string) =>
    (await portal.call("GET", `/v1/partners/clients?q=${encodeURIComponent(company)}`)).body.data[0];

  test("the newest event is first, opens with its data, and the address is the filter", async () => {
    await portal.call("POST", "/v1/partners/clients", { company: "Lighthouse Books" });
    const page = await portal.open("/developers/events?types=client.created");
    const first = page.locator('[role=row][data-index="0"]');
    await first.getByText("Lighthouse Books").first().waitFor();
    expect(await page.getByRole("row").filter({ hasText: "client.activated" }).count()).toBe(0);
    await first.click();
    await page.getByRole("region", { name: "Event" }).getByText('"Lighthouse Books"').waitFor();
    await page.getByText("It was sent nowhere").waitFor();
    await page.waitForURL(/open=evt_/);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.search.includes("open="));
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toMatch(/type=client.created.*format=csv$/);
  });

  test("the audit log says who changed what, from which value to which", async () => {
    const { id } = await clientOf("Morrow Legal");
    await portal.call("PATCH", `/v1/partners/clients/${id}`, { external_id: "harbour-special" });
    const page = await portal.open("/developers/audit-log");
    await page.getByText("Today", { exact: true }).waitFor();
    const entry = row(page, "harbour-special");
    await entry.getByText("First key").first().waitFor();
    await entry.getByText("Morrow Legal").first().waitFor();
    await entry.click();
    const panel = page.getByRole("complementary", { name: "clients.update" });
    await panel.locator("ins").getByText("harbour-special").waitFor();
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("combobox", { name: "Action" }).fill("clients.update");
    await page.waitForURL(/action=clients.update/);
    await page.getByText("Filters, 1").waitFor();
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toMatch(/action=clients.update/);
  });

  test("branding is shown as clients see it, with a warning for what cannot be read, and an undo", async () => {
    const color = async () => (await portal.call("GET", "/v1/partners/account")).body.branding.primary_color;
    const before = await color();
    const page = await portal.open("/settings/company");
    await page.getByRole("textbox", { name: "Colour" }).fill("#ffd43b");
    await page.getByText("This colour is hard to read").waitFor();
    await page.getByLabel("Product name").fill("Harbour CRM");
    await page.getByRole("img", { name: "A page of Harbour CRM" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Saved/).waitFor();
    expect(await color()).toBe("#ffd43b");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(color).toBe(before);
  });

  test("a request from the reference is made as whoever is signed in", async () => {
    const page = await portal.open("/developers/reference");
    expect(await page.getByRole("link", { name: "Open the reference" }).getAttribute("href")).toBe("/docs");
    await page.goto(`${portal.base_url()}/docs#tag/clients/GET${LIST}`);
    const operation = page.locator(`[id$="tag/clients/GET${LIST}"]`).first();
    const tries = operation.getByRole("button", { name: /^test request/i }).first();
    await tries.click();
    const answered = page.waitForResponse((response) => response.url() === `${portal.base_url()}/portal/api${LIST}`);
    await page.getByRole("button", { name: /^send/i }).first().click();
    const response = await answered;
    expect(response.status()).toBe(200);
    const { id } = (await portal.call("GET", LIST)).body.data[0];
    expect(((await response.json()) as { data: { id: string }[] }).data[0]?.id).toBe(id);
    await page.getByRole("note").getByText("as you").waitFor();
    await page.getByText("200 OK").first().waitFor();
    await page.getByText(`"${id}"`).first().waitFor();
  });

  test("on a phone nothing scrolls sideways", async () => {
    for (const path of ["/developers/events", "/developers/audit-log", "/developers/reference", "/settings/company"]) {
      const page = await portal.open(path, { viewport: PHONE, colorScheme: "dark" });
      await settled(page);
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 640 });
      await expectFits(page);
    }
  });
});
