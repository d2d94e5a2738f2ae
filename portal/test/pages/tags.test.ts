import { expect, test } from "vitest";
import { expectAccessible, inBrowser, row } from "../support.ts";

inBrowser("tags and templates", (portal) => {
  const harbour = async () => (await portal.call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;

  test("a tag is created, offered by the forms of a contact and a deal, renamed, and deleted with an undo", async () => {
    const account = await harbour();
    portal.allow(/409/);
    const page = await portal.open(`/crm/${account}/tags?new=yes`);
    const panel = page.getByRole("complementary", { name: "New tag" });
    await panel.getByRole("textbox", { name: "Name" }).fill("VIP");
    await panel.getByRole("button", { name: "Create tag" }).click();
    await panel.getByText("Another tag has the name VIP.").waitFor();
    await panel.getByRole("textbox", { name: "Name" }).fill("Spring fair");
    await panel.getByRole("textbox", { name: "What it stands for" }).fill("Met at the stand");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Create tag" }).click();
    await row(page, "Spring fair").waitFor();

    await page.goto(`${portal.base_url()}/portal/crm/${account}/contacts?new=yes`);
    await page.getByRole("combobox", { name: "Tags" }).fill("spring");
    await page.getByRole("option", { name: "Spring fair" }).waitFor();

    await page.goto(`${portal.base_url()}/portal/crm/${account}/deals?new=yes`);
    await page.getByRole("combobox", { name: "Tags" }).fill("spring");
    await page.getByRole("option", { name: "Spring fair" }).waitFor();

    await page.goto(`${portal.base_url()}/portal/crm/${account}/tags?q=stand`);
    await row(page, "Spring fair").press("Enter");
    const tag = page.getByRole("complementary", { name: "Spring fair" });
    await tag.getByRole("textbox", { name: "Name" }).fill("Autumn fair");
    await tag.getByRole("button", { name: "Save" }).click();
    await tag.waitFor({ state: "detached" });
    await row(page, "Autumn fair").press("Enter");
    await page.getByRole("complementary", { name: "Autumn fair" }).getByRole("button", { name: "Delete" }).click();
    await page.getByText("No tag has this text").waitFor();
    const deleted = page.getByText("Autumn fair is deleted").locator("..");
    await deleted.getByRole("button", { name: "Undo" }).click();
    await row(page, "Autumn fair").waitFor();
  });

  test("what is set up once is folded in the navigation, unless one is there", async () => {
    const page = await portal.open(`/crm/${await harbour()}/contacts`);
    const side = page.getByRole("navigation", { name: "Main", exact: true });
    await side.getByRole("link", { name: "Imports" }).waitFor();
    expect(await side.getByRole("link", { name: "Tags" }).count()).toBe(0);
    await side.getByRole("button", { name: "Set up" }).click();
    await side.getByRole("link", { name: "Tags" }).click();
    await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
    await page.reload();
    await side.getByRole("link", { name: "Tags" }).waitFor();
    await expectAccessible(page);
  });

  test("a template says what is wrong with a placeholder, takes the right one by a click, and is archived and used again", async () => {
    const account = await harbour();
    portal.allow(/422/);
    const page = await portal.open(`/crm/${account}/templates?new=yes`);
    const panel = page.getByRole("complementary", { name: "New template" });
    await panel.getByRole("textbox", { name: "Name" }).fill("Thanks");
    const text = panel.getByRole("textbox", { name: "Text" });
    await text.fill("Thank you, {{contact.nickname}}");
    await panel.getByRole("button", { name: "Create template" }).click();
    await panel.getByText(/^\{\{contact\.nickname\}\} is not a placeholder/).waitFor();
    await text.fill("Thank you, ");
    await panel.getByRole("button", { name: "{{contact.name}}" }).click();
    await expect.poll(() => text.inputValue()).toBe("Thank you, {{contact.name}}");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Create template" }).click();
    await panel.waitFor({ state: "detached" });

    await row(page, "Thanks").press("Enter");
    await page.getByRole("complementary", { name: "Thanks" }).getByRole("button", { name: "Archive" }).click();
    await row(page, "Thanks").waitFor({ state: "detached" });
    await page.getByRole("complementary", { name: "Thanks" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Archived", exact: true }).click();
    await row(page, "Thanks").press("Enter");
    await page.getByRole("complementary", { name: "Thanks" }).getByRole("button", { name: "Use it again" }).click();
    await page.getByText("Nothing is archived").waitFor();
    const { data } = (await portal.call("GET", `/v1/message-templates?account_id=${account}&limit=100`)).body;
    expect(data.find(({ name }: { name: string }) => name === "Thanks")).toMatchObject({
      channel: "any",
      subject: null,
      text: "Thank you, {{contact.name}}",
    });
  });

  test("a template shows what it says to somebody", async () => {
    const account = await harbour();
    const { body } = await portal.call("GET", `/v1/message-templates?account_id=${account}`);
    const template = body.data.find(({ name }: { name: string }) => name === "Appointment reminder");
    const page = await portal.open(`/crm/${account}/templates?open=${template.id}`);
    await page.getByRole("combobox", { name: "To", exact: true }).fill("Amara");
    await page.getByRole("option", { name: "Amara Abebe" }).click();
    await page.getByText(/Hello Amara Abebe, we look forward/).waitFor();
  });
});
