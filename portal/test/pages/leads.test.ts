import { expect, test } from "vitest";
import { expectAccessible, inBrowser, row } from "../support.ts";

inBrowser("leads and custom fields", (portal) => {
  const harbour = async () => (await portal.call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
  const newLead = async (name: string, phone: string, more = {}) =>
    (await portal.call("POST", "/v1/leads", { account_id: await harbour(), name, phone, source: { kind: "call" }, ...more }))
      .body;

  test("one is created, found, tagged with others, explained and converted, and the conversion is taken back", async () => {
    const account = await harbour();
    await newLead("Lena Quist", "+14155554401");
    const page = await portal.open(`/crm/${account}/leads?new=yes`);
    const panel = page.getByRole("complementary", { name: "New lead" });
    await panel.getByRole("textbox", { name: "Name", exact: true }).fill("Lars Quist");
    await panel.getByRole("textbox", { name: "Phone" }).fill("+14155554402");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Create lead" }).click();
    await page.getByRole("heading", { level: 1, name: /Lars Quist/ }).waitFor();

    await page.getByRole("link", { name: "Leads" }).first().click();
    await row(page, "Lars Quist").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("quist");
    await page.waitForURL(/q=quist/);
    await page.getByText("2 loaded").waitFor();
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toMatch(/q=quist.*format=csv$/);
    await page.getByRole("checkbox", { name: "Select all loaded leads" }).check();
    await page.getByRole("toolbar").getByRole("button", { name: "Tag" }).click();
    const dialog = page.getByRole("dialog", { name: "Tag 2 leads" });
    await dialog.getByLabel("Tags").first().fill("fair");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Add tags" }).click();
    await dialog.waitFor({ state: "detached" });
    const tags = async () =>
      (await portal.call("GET", `/v1/leads?account_id=${account}&q=quist`)).body.data.map(
        (lead: { tags: string[] }) => lead.tags,
      );
    await expect.poll(tags).toEqual([["fair"], ["fair"]]);

    await row(page, "Lars Quist").click();
    await page.getByRole("heading", { level: 2, name: "Score" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Convert…" }).click();
    await page
      .getByRole("complementary", { name: "Convert Lars Quist" })
      .getByRole("button", { name: "Convert", exact: true })
      .click();
    const converted = page.getByText(/^Lars Quist is a contact/);
    await converted.waitFor();
    const contacts = async () => (await portal.call("GET", `/v1/contacts?account_id=${account}&q=quist`)).body.data.length;
    expect(await contacts()).toBe(1);
    await converted.locator("..").getByRole("button", { name: "Undo" }).click();
    await expect.poll(contacts).toBe(0);
  });

  test("a field is created, filled in by its form, filtered by, and archived with an undo", async () => {
    const account = await harbour();
    const page = await portal.open(`/crm/${account}/fields?new=yes`);
    const panel = page.getByRole("complementary", { name: "New field" });
    await panel.getByRole("textbox", { name: "Name" }).fill("Shoe size");
    await expect.poll(() => panel.getByRole("textbox", { name: "Key" }).inputValue()).toBe("shoe_size");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Create field" }).click();
    await row(page, "shoe_size").waitFor();

    await page.goto(`${portal.base_url()}/portal/crm/${account}/contacts?new=yes`);
    await page.getByRole("textbox", { name: "Name" }).fill("Cato Brun");
    await page.getByRole("textbox", { name: "Phone" }).fill("+14155554403");
    await page.getByRole("textbox", { name: "Shoe size" }).fill("42");
    await page.getByRole("button", { name: "Create contact" }).click();
    await page.getByRole("complementary", { name: "Cato Brun" }).waitFor();
    const { data } = (await portal.call("GET", `/v1/contacts?account_id=${account}&custom.shoe_size=42`)).body;
    expect(data).toMatchObject([{ name: "Cato Brun", custom: { shoe_size: "42" } }]);

    await page.goto(`${portal.base_url()}/portal/crm/${account}/fields`);
    await row(page, "shoe_size").press("Enter");
    const field = page.getByRole("complementary", { name: "Shoe size" });
    await field.getByText(/^by 1 of /).waitFor();
    await field.getByRole("button", { name: "Archive" }).click();
    await row(page, "archived").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "in use").waitFor();
  });
});
