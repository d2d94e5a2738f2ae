import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, inBrowser, row } from "../support.ts";

inBrowser("a service that fails", (portal) => {
  const CLIENTS = /\/portal\/api\/v1\/partners\/clients(\?|$)/;
  /** What a proxy answers in place of a service that is away. */
  const BAD_GATEWAY = { status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" };
  /** Until the returned function is called, the service fails for the requests of this method. */
  async function failing(page: Page, method: string, answer: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
    portal.allow(/50\d/);
    const handler = (route: Route) => (route.request().method() === method ? answer(route) : route.continue());
    await page.route(CLIENTS, handler);
    return () => page.unroute(CLIENTS, handler);
  }

  test("a list that did not load says so, and loads by Retry", async () => {
    const page = await portal.open("/settings/you");
    const heal = await failing(page, "GET", (route) => route.fulfill(BAD_GATEWAY));
    await page.getByRole("link", { name: "Clients" }).first().click();
    const alert = page.getByRole("alert").filter({ hasText: "The clients did not load" });
    await alert.getByText("The service does not answer (502)").waitFor();
    await expectAccessible(page);
    await heal();
    await alert.getByRole("button", { name: "Retry" }).click();
    await row(page, "Harbour Dental").waitFor();
  });

  const UNKNOWN = { title: "Internal error", status: 500, detail: "Something failed on our side.", code: "internal_error" };
  for (const [what, reply] of [
    ["of a proxy", BAD_GATEWAY],
    ["of the service", { status: 500, contentType: "application/problem+json", body: JSON.stringify(UNKNOWN) }],
  ] as const) {
    test(`a form whose reply is an error ${what} keeps what is typed, and creates nothing twice`, async () => {
      const company = `Twice ${what}`;
      const page = await portal.open("/clients?new=yes");
      const heal = await failing(page, "POST", async (route) => {
        await route.fetch();
        await route.fulfill(reply);
      });
      await page.getByLabel("Company").fill(company);
      await page.getByRole("button", { name: "Create client" }).click();
      await page.getByRole("complementary").getByRole("alert").waitFor();
      expect(await page.getByLabel("Company").inputValue()).toBe(company);
      await heal();
      await page.getByRole("button", { name: "Create client" }).click();
      await page.getByRole("heading", { level: 1, name: company }).waitFor();
      const { data } = (await portal.call("GET", `/v1/partners/clients?q=${encodeURIComponent(company)}`)).body;
      expect(data).toHaveLength(1);
    });
  }

  test("a form whose right was taken meanwhile is refused in words, and keeps what is typed", async () => {
    portal.allow(/403/);
    const page = await portal.open("/clients?new=yes", { as: "admin" });
    await page.getByLabel("Company").fill("Not Any More");
    await portal.sql("update users set role = 'read_only' where email = 'ada@northwind.example'");
    await page.getByRole("button", { name: "Create client" }).click();
    await page.getByRole("alert").getByText("clients:write").waitFor();
    expect(await page.getByLabel("Company").inputValue()).toBe("Not Any More");
    expect((await portal.call("GET", "/v1/partners/clients?q=any+more")).body.data).toEqual([]);
  });
});
