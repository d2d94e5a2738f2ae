import { expect, test } from "vitest";
import { expectAccessible, expectFits, inBrowser, PHONE, row } from "../support.ts";

inBrowser("API keys", (portal) => {
  const me = (key: string) => fetch(`${portal.base_url()}/v1/partners/me`, { headers: { authorization: `Bearer ${key}` } });

  test("a key is created, calls the API from where it is shown, and is refused once it is revoked", async () => {
    portal.allow(/422/);
    const page = await portal.open("/settings/api?new=yes");
    const panel = page.getByRole("complementary", { name: "New key" });
    await panel.getByRole("button", { name: "Create key" }).click();
    await panel.getByText("name must not be empty").first().waitFor();
    await panel.getByLabel("Name").fill("Reporting");
    await panel.getByRole("button", { name: "Reporting" }).click();
    await panel.getByLabel("Deals, write").check();
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Create key" }).click();

    const ready = page.getByRole("dialog", { name: "Reporting is ready" });
    const key = (await ready.getByRole("region", { name: "Key" }).textContent()) ?? "";
    await ready.getByRole("button", { name: "Test it" }).click();
    await ready.getByText("The key works").waitFor();
    await ready.getByText('"deals:write"').waitFor();
    await expectAccessible(page);
    const { scopes } = (await (await me(key)).json()) as { scopes: string[] };
    expect(scopes.toSorted()).toEqual([
      "account:read",
      "clients:read",
      "commissions:read",
      "deals:read",
      "deals:write",
      "payouts:read",
    ]);
    await ready.getByRole("button", { name: "I have stored it" }).click();

    await row(page, "Reporting").click();
    await page.getByRole("button", { name: "Revoke…" }).click();
    const revoke = page.getByRole("dialog", { name: "Revoke Reporting?" });
    await revoke.getByText("is refused at once").waitFor();
    await revoke.getByLabel("Type Reporting to confirm").fill("Reporting");
    await revoke.getByRole("button", { name: "Revoke", exact: true }).click();
    await row(page, "revoked").waitFor();
    expect((await me(key)).status).toBe(401);
  });

  test("a rotation keeps the old secret for as long as it says", async () => {
    const body = { name: "Warehouse", scopes: ["clients:read"], clients: "all" };
    const { api_key } = (await portal.call("POST", "/v1/partners/keys", body)).body;
    const page = await portal.open("/settings/api");
    await row(page, "Warehouse").click();
    await page.getByRole("button", { name: "Rotate…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click();
    const ready = page.getByRole("dialog", { name: "Warehouse has a new secret" });
    const fresh = (await ready.getByRole("region", { name: "Key" }).textContent()) ?? "";
    expect([(await me(api_key)).status, (await me(fresh)).status]).toEqual([200, 200]);
    await ready.getByRole("button", { name: "I have stored it" }).click();
    await row(page, "two secrets").waitFor();
  });

  test("an edit takes scopes away at once, and can be undone", async () => {
    const body = { name: "Trimmed", scopes: ["clients:read", "deals:read"], clients: "all" };
    const { id } = (await portal.call("POST", "/v1/partners/keys", body)).body;
    const scopes = async () => (await portal.call("GET", `/v1/partners/keys/${id}`)).body.scopes;
    const page = await portal.open(`/settings/api?open=${id}&edit=yes`);
    await page.getByLabel("Deals, read").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Trimmed is saved").waitFor();
    expect(await scopes()).toEqual(["clients:read"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(scopes).toEqual(["clients:read", "deals:read"]);
  });

  test("a key ends with its last day where its owner lives, and keeps its time while the day stays", async () => {
    const body = { name: "Seasonal", scopes: ["clients:read"], clients: "all", expires_at: "2031-03-01T04:30:00.000Z" };
    const { id } = (await portal.call("POST", "/v1/partners/keys", body)).body;
    const expires = async () => new Date((await portal.call("GET", `/v1/partners/keys/${id}`)).body.expires_at).toISOString();
    const page = await portal.open(`/settings/api?open=${id}&edit=yes`, { timezoneId: "America/Los_Angeles" });
    const save = async () => {
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    };
    await page.getByLabel("Name").fill("Seasonal sync");
    await expect.poll(() => page.getByLabel("Day").inputValue()).toBe("2031-02-28");
    await save();
    expect(await expires()).toBe("2031-03-01T04:30:00.000Z");
    await page.goto(`${portal.base_url()}/portal/settings/api?open=${id}&edit=yes`);
    await page.getByLabel("Day").fill("2031-03-05");
    await save();
    expect(await expires()).toBe("2031-03-06T08:00:00.000Z");
  });

  test("on a phone nothing scrolls sideways", async () => {
    const page = await portal.open("/settings/api", { viewport: PHONE, colorScheme: "dark" });
    await row(page, "First key").waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await row(page, "First key").click();
    await page.getByRole("heading", { level: 2, name: "First key" }).waitFor();
    await expectFits(page);
  });
});
