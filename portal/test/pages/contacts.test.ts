import { expect, test } from "vitest";
import { expectAccessible, expectFits, inBrowser, PHONE, row } from "../support.ts";

inBrowser("contacts", (portal) => {
  const harbour = async () => (await portal.call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
  const contactOf = async (id: string) => (await portal.call("GET", `/v1/contacts/${id}`)).body;
  let numbers = 0;
  const newContact = async (name: string, more = {}) => {
    const phone = `+1415555${String(3_000 + numbers++)}`;
    const { body } = await portal.call("POST", "/v1/contacts", { name, phone, account_id: await harbour(), ...more });
    return body;
  };

  test("one is created, found, and met again where its phone is taken", async () => {
    portal.allow(/4(09|22)/);
    const account = await harbour();
    const page = await portal.open(`/crm/${account}/contacts?new=yes`);
    await page.getByRole("textbox", { name: "Name" }).fill("Wilma Ostrander");
    await page.getByRole("textbox", { name: "Phone" }).fill("12");
    await page.getByRole("button", { name: "Create contact" }).click();
    await page.getByText(/phone must be in E.164/).waitFor();
    await page.getByRole("textbox", { name: "Phone" }).fill("+14155552801");
    await page.getByRole("button", { name: "Create contact" }).click();
    await page.getByRole("complementary", { name: "Wilma Ostrander" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("complementary", { name: "Wilma Ostrander" }).press("Escape");
    await page.getByRole("complementary", { name: "Wilma Ostrander" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New contact" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Wilma again");
    await page.getByRole("textbox", { name: "Phone" }).fill("+14155552801");
    await page.getByRole("button", { name: "Create contact" }).click();
    await page.getByRole("link", { name: "open that contact" }).click();
    await page.getByRole("heading", { level: 1, name: "Wilma Ostrander" }).waitFor();
  });

  test("the table is worked by keyboard: filter, move, select, open, close", async () => {
    await newContact("Keyo Alpha");
    await newContact("Keyo Beta");
    const page = await portal.open(`/crm/${await harbour()}/contacts?sort=name`);
    await row(page, "Keyo Alpha").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("keyo");
    await page.waitForURL(/q=keyo/);
    await page.keyboard.press("Escape");
    await page.getByText("2 loaded").waitFor();
    await page.keyboard.press("j");
    await page.locator('[role=row][data-index="0"]:focus').waitFor();
    await page.keyboard.press("j");
    await page.locator('[role=row][data-index="1"]:focus').waitFor();
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "Keyo Beta" });
    await panel.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.locator('[role=row][data-index="1"]:focus').waitFor();
    expect(page.url()).toContain("q=keyo");
    await page.keyboard.press("Enter");
    await panel.waitFor();
    await page.reload();
    await row(page, "Keyo Beta").waitFor();
    await panel.press("Escape");
    await page.locator('[role=row][data-index="1"]:focus').waitFor();
  });

  test("filters are kept under a name, shared with a colleague, and deleted", async () => {
    await newContact("Viewa Nord", { tags: ["view-test"] });
    const list = `/crm/${await harbour()}/contacts`;
    const page = await portal.open(`${list}?tag=view-test&sort=name`);
    await row(page, "Viewa Nord").waitFor();
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByLabel("Name of the view").fill("View tested");
    await page.getByLabel("Share it with everybody here").check();
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("button", { name: "View tested", exact: true, pressed: true }).waitFor();

    const other = await portal.open(list, { as: "admin" });
    await other.getByRole("button", { name: "View tested", exact: true }).click();
    await other.waitForURL(/tag=view-test/);
    await other.getByText("1 loaded").waitFor();
    await expectAccessible(other);

    await page.getByRole("button", { name: "Delete the view View tested" }).click();
    await page.getByRole("button", { name: "View tested", exact: true }).waitFor({ state: "detached" });
  });

  test("an edit meets what somebody else changed, keeps what is typed, and is undone", async () => {
    portal.allow(/412/);
    const { id, account_id } = await newContact("Edda Unger", { company: "First Company" });
    const page = await portal.open(`/crm/${account_id}/contacts/${id}?edit=yes`);
    const panel = page.getByRole("complementary", { name: "Edit Edda Unger" });
    await panel.getByLabel("Company").fill("Typed Company");
    await portal.call("PATCH", `/v1/contacts/${id}`, { company: "Other Company", email: "edda@other.example" });
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Somebody else changed this meanwhile").waitFor();
    await expect.poll(() => panel.getByLabel("Email").inputValue()).toBe("edda@other.example");
    expect(await panel.getByLabel("Company").inputValue()).toBe("Typed Company");
    await panel.getByText("First Company → Other Company").waitFor();
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("Edda Unger is saved").waitFor();
    expect(await contactOf(id)).toMatchObject({ company: "Typed Company", email: "edda@other.example" });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await contactOf(id)).company).toBe("Other Company");
  });

  test("two are merged after a look at both, field by field, and parted again", async () => {
    const into = await newContact("Mira Holt", { email: "mira@old.example" });
    const from = await newContact("Mira Holt-Sand", { email: "mira@new.example", tags: ["vip"] });
    const page = await portal.open(`/crm/${into.account_id}/contacts/${into.id}/merge`);
    await page.getByRole("button", { name: /Mira Holt-Sand/ }).click();
    await page.getByRole("radio", { name: "Email: mira@new.example" }).check();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByText("Merged into Mira Holt").waitFor();
    expect(await contactOf(into.id)).toMatchObject({ name: "Mira Holt", email: "mira@new.example", tags: ["vip"] });
    expect((await portal.call("GET", `/v1/contacts/${from.id}`)).status).toBe(404);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Mira Holt-Sand is back").waitFor();
    expect((await contactOf(into.id)).email).toBe("mira@old.example");
  });

  test("consent and notes are recorded, and what was done by mistake is taken back", async () => {
    const { id, account_id } = await newContact("Nils Ray");
    const page = await portal.open(`/crm/${account_id}/contacts/${id}`);
    await page.getByRole("textbox", { name: "Add a note" }).fill("Prefers mornings.");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("listitem").filter({ hasText: "Prefers mornings." }).first().waitFor();
    await page.getByRole("button", { name: "Delete note" }).click();
    await page.getByText("The note is deleted").waitFor();
    await page.getByText("The note is deleted").locator("..").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Delete note" }).waitFor();
    await page.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: "Consent of Nils Ray" });
    await dialog.getByRole("combobox", { name: "SMS" }).click();
    await page.getByRole("option", { name: "granted" }).click();
    await dialog.getByLabel("Source").fill("Form at the desk");
    await dialog.getByRole("button", { name: "Record" }).click();
    await page.getByText("May be written to by SMS").waitFor();
    expect((await contactOf(id)).consent.sms).toBe("granted");
  });

  test("a list of thousands is scrolled to its end, and back to rows that have left the memory", async () => {
    await portal.sql(`
      insert into contacts (partner_id, id, account_id, name, phone, created_at, updated_at)
      select c.partner_id, 'con_01krv3caege9z8' || lpad(g::text, 12, '0'), c.id, 'Row ' || g, '+1628' || 2000000 + g, now(), now()
      from clients c, generate_series(1, 2150) g where c.company = 'Papaya Prints'`);
    const { id } = (await portal.call("GET", "/v1/partners/clients?q=papaya")).body.data[0];
    const page = await portal.open(`/crm/${id}/contacts?sort=created_at`);
    await row(page, /Row 1\D/).waitFor();
    const scrollTo = (end: "top" | "bottom") =>
      page.getByRole("table").evaluate((table, to) => {
        const scroller = table.parentElement as HTMLElement;
        scroller.scrollTop = to === "top" ? 0 : scroller.scrollHeight;
      }, end);
    const scrolled = async () => {
      await scrollTo("bottom");
      return /^\S+ loaded/.exec((await page.getByText(/ loaded/).textContent()) ?? "")?.[0];
    };
    await expect.poll(scrolled).toBe("2,150 loaded");
    await row(page, "Row 2150").waitFor();
    await scrollTo("top");
    await row(page, /Row 1\D/).waitFor();
    await row(page, /Row 20\D/).waitFor();
    await expect.poll(scrolled).toBe("2,150 loaded");
  });

  test("a phone shows the list without scrolling sideways", async () => {
    const page = await portal.open(`/crm/${await harbour()}/contacts`, { viewport: PHONE });
    await page.getByRole("row").nth(1).waitFor();
    await expectFits(page);
  });
});
