import { expect, test } from "vitest";
import { expectAccessible, inBrowser, row } from "../support.ts";

inBrowser("the operator's console", (portal) => {
  const admin = (method: string, path: string, body?: unknown, headers = {}) =>
    fetch(`${portal.base_url()}/v1/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${portal.first().operator_key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test("a registration that waits is asked about, then approved, and the partner sees it", async () => {
    const etag = (await admin("GET", "/programme")).headers.get("etag") ?? "";
    const changed = await admin("PATCH", "/programme", { registration_review: "review" }, { "if-match": etag });
    expect(changed.status).toBe(200);
    const { body: deal } = await portal.call("POST", "/v1/partners/deals", {
      company: "Lantern Books",
      company_domain: "lantern-books.example",
      plan: "Growth",
      mrr_cents: 29900,
    });
    const page = await portal.open("/registrations", { as: "operator" });
    await row(page, "Lantern Books").click();
    const panel = page.getByRole("complementary", { name: "Lantern Books" });
    await panel.getByText("$299.00").waitFor();
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Ask for more" }).click();
    await panel.getByLabel("What you need to know").fill("Who is your contact there?");
    await panel.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("Lantern Books is asked for more").waitFor();
    await panel.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Lantern Books is approved").waitFor();
    const { body } = await portal.call("GET", `/v1/partners/deals/${deal.id}`);
    expect(body.registration.status).toBe("approved");
    const decided = (await (await admin("GET", `/registrations/${deal.id}`)).json()) as { decided_by: string };
    expect(decided.decided_by).toMatch(/^usr_/);
  });

  test("a registration that somebody else changed is not decided by what was read before", async () => {
    portal.allow(/412/);
    const { body: deal } = await portal.call("POST", "/v1/partners/deals", {
      company: "Moss & Fern",
      plan: "Starter",
      mrr_cents: 9900,
    });
    const page = await portal.open(`/registrations?open=${deal.id}`, { as: "operator" });
    const panel = page.getByRole("complementary", { name: "Moss & Fern" });
    await panel.getByRole("button", { name: "Approve" }).waitFor();
    await portal.call("PATCH", `/v1/partners/deals/${deal.id}`, { mrr_cents: 19900 });
    await panel.getByRole("button", { name: "Approve" }).click();
    await panel
      .getByRole("alert")
      .getByText(/version/)
      .waitFor();
  });

  test("suspending a partner says what follows, refuses its keys at once, and can be undone", async () => {
    const page = await portal.open("/partners", { as: "operator" });
    await row(page, "Northwind Agency").click();
    await page.getByRole("heading", { name: /Northwind Agency/, level: 1 }).waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    const dialog = page.getByRole("dialog", { name: "Suspend Northwind Agency?" });
    await dialog.getByText("refused at once").waitFor();
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await page.getByText("Northwind Agency is suspended").waitFor();
    expect((await portal.call("GET", "/v1/partners/clients")).body.code).toBe("partner_suspended");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Northwind Agency is active").waitFor();
    expect((await portal.call("GET", "/v1/partners/clients")).status).toBe(200);
  });

  test("the pages of the programme and of the system can be read by everybody", async () => {
    const page = await portal.open("/system", { as: "operator" });
    await page.getByText("Everything answers").waitFor();
    await expectAccessible(page);
    await page.goto(`${portal.base_url()}/portal/programme`);
    await page.getByRole("button", { name: "Save" }).waitFor();
    await expectAccessible(page);
  });

  test("people of a partner have no such pages", async () => {
    portal.allow(/403/);
    const page = await portal.open("/registrations");
    await page.getByText("There is no such page").waitFor();
    const reply = await page.request.get(`${portal.base_url()}/portal/api/v1/admin/registrations`);
    expect(reply.status()).toBe(403);
  });
});
