import { expect, test } from "vitest";
import { expectAccessible, expectFits, inBrowser, PHONE, row } from "../support.ts";

inBrowser("clients", (portal) => {
  const clientOf = async (company: string) =>
    (await portal.call("GET", `/v1/partners/clients?q=${encodeURIComponent(company)}`)).body.data[0];

  test("the list narrows by state and text, and its address is its state", async () => {
    const page = await portal.open("/clients");
    await row(page, "Harbour Dental").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Suspended" }).click();
    await row(page, "Harbour Dental").waitFor({ state: "detached" });
    await row(page, "Okapi Fitness").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("okapi");
    await page.waitForURL(/q=okapi/);
    await page.reload();
    await row(page, "Okapi Fitness").waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toMatch(/status=suspended&q=okapi&format=csv$/);
  });

  test("j, x and Enter move, select and open", async () => {
    const page = await portal.open("/clients?sort=company");
    await row(page, "Blue Lantern Travel").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    const name = await page.getByRole("row", { selected: true }).locator("b").first().textContent();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: name ?? "?" }).waitFor();
  });

  test("creating one puts each fault at its field, in the API's words", async () => {
    portal.allow(/4(22|00)/);
    const page = await portal.open("/clients?new=yes");
    await page.getByLabel("Company").fill("Quay Street Optics");
    await page.getByLabel("Email").fill("not an address");
    await page.getByLabel("Monthly revenue").fill("1,249.50");
    await page.getByRole("button", { name: "Create client" }).click();
    await page.getByText(/e-mail address/i).waitFor();
    expect(await page.getByLabel("Email").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Email").fill("ana@quay.example");
    await page.getByRole("button", { name: "Create client" }).click();
    await page.getByRole("heading", { level: 1, name: /Quay Street Optics/ }).waitFor();
    expect(await clientOf("Quay Street Optics")).toMatchObject({ mrr_cents: 124_950, contact: { email: "ana@quay.example" } });
  });

  test("suspending shows what is at risk first, and can be undone", async () => {
    const { id } = await clientOf("Harbour Dental");
    const page = await portal.open(`/clients/${id}`);
    await page.getByRole("button", { name: "Suspend…" }).click();
    const dialog = page.getByRole("dialog", { name: "Suspend Harbour Dental?" });
    await dialog.getByText("$499.00").waitFor();
    await dialog.getByLabel("Reason").fill("A trial of the button");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
    await page.getByText("Harbour Dental is suspended").waitFor();
    expect(await clientOf("Harbour Dental")).toMatchObject({ status: "suspended", status_reason: "A trial of the button" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Suspend…" }).waitFor();
    expect((await clientOf("Harbour Dental")).status).toBe("active");
  });

  test("one that was suspended says why, writes nothing, and is reactivated by its button", async () => {
    const { id } = await clientOf("Morrow Legal");
    await portal.call("POST", `/v1/partners/clients/${id}/suspend`, { reason: "Invoice overdue" });
    const page = await portal.open(`/clients/${id}`);
    await page.getByText("Invoice overdue").first().waitFor();
    const contact = { account_id: id, name: "Ada Byrne", phone: "+14155552699" };
    expect((await portal.call("POST", "/v1/contacts", contact)).body.code).toBe("client_inactive");
    await page.getByRole("button", { name: "Reactivate" }).click();
    await page.getByText("Morrow Legal is active").waitFor();
    await page.getByRole("button", { name: "Suspend…" }).waitFor();
    expect((await portal.call("POST", "/v1/contacts", contact)).status).toBe(201);
  });

  test("an edit does not overwrite what somebody else changed meanwhile", async () => {
    portal.allow(/412/);
    const { id } = await clientOf("Morrow Legal");
    const page = await portal.open(`/clients/${id}?edit=yes`);
    await page.getByLabel("External id").fill("mine");
    await portal.call("PATCH", `/v1/partners/clients/${id}`, { external_id: "theirs" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    expect((await clientOf("Morrow Legal")).external_id).toBe("theirs");
  });

  test("many are tagged at once", async () => {
    const page = await portal.open("/clients?state=active&sort=company");
    await row(page, "Blue Lantern Travel").waitFor();
    await page.getByLabel("Select Blue Lantern Travel").check();
    await page.getByLabel("Select Kite & Anchor").check();
    await page.getByRole("button", { name: "Tag" }).click();
    await page.getByRole("combobox", { name: "Tags" }).fill("winter");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Add tags" }).click();
    await page.getByText("2 tagged winter").waitFor();
    expect((await clientOf("Kite & Anchor")).tags).toContain("winter");
  });

  test("on a phone a client is two lines, and nothing scrolls sideways", async () => {
    const page = await portal.open("/clients", { viewport: PHONE, colorScheme: "dark" });
    await row(page, "Harbour Dental").waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await row(page, "Harbour Dental").click();
    await page.getByRole("heading", { level: 1, name: /Harbour Dental/ }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    await expectFits(page);
  });

  test("on a phone, the list of places leads to the CRM of any account", async () => {
    const page = await portal.open("/", { viewport: PHONE });
    await page.getByRole("button", { name: "More" }).click();
    const places = page.getByRole("dialog", { name: "All places" });
    await places.getByRole("button", { name: /choose account/ }).click();
    await page.getByLabel("Find an account").fill("harbour");
    await page.getByRole("menuitem", { name: /Harbour Dental/ }).click();
    await page.waitForURL(/\/crm\/cli_/);
    await places.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More" }).click();
    await places.getByRole("button", { name: "Harbour Dental, choose account" }).waitFor();
  });
});
