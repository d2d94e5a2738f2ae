import { expect, test } from "vitest";
import { expectAccessible, inBrowser, type Portal } from "../support.ts";

/** Somebody of a client, invited by the owner of the partner, with the role and the accounts that the test says. */
async function invite(portal: Portal, email: string, role: string, accounts: string[]) {
  const { body: user } = await portal.call("POST", "/v1/partners/users", { name: "Clara Stone", email, role, accounts });
  const owner = await portal.open("/");
  const headers = { origin: portal.base_url() };
  const invited = await owner.request.post(`${portal.base_url()}/portal/api/invitations`, {
    data: { user_id: user.id },
    headers,
  });
  expect(invited.status(), await invited.text()).toBe(201);
  return (await invited.json()).url as string;
}

inBrowser("staff of a client", (portal) => {
  const clientOf = async (company: string) =>
    (await portal.call("GET", `/v1/partners/clients?q=${encodeURIComponent(company)}`)).body.data[0];

  let invited = 0;
  async function signIn(role: string) {
    // Nobody is signed in before the invitation is accepted.
    portal.allow(/401/);
    const harbour = await clientOf("Harbour Dental");
    const branding = { product_name: "Harbour Desk", primary_color: "#7a1f5c" };
    await portal.call("PATCH", `/v1/partners/clients/${harbour.id}`, { branding });
    const url = new URL(await invite(portal, `clara-${invited++}@harbour.example`, role, [harbour.id]));
    const page = await portal.open(`${url.pathname.replace("/portal", "")}${url.hash}`, { as: null });
    await page.getByRole("textbox", { name: "Password" }).fill("a long enough phrase");
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    return { page, harbour };
  }

  test("sees the one account, in its branding, and the places of a client", async () => {
    const { page, harbour } = await signIn("member");
    expect(new URL(page.url()).pathname).toBe(`/portal/crm/${harbour.id}/inbox`);
    await page.goto(`${portal.base_url()}/portal/crm/${harbour.id}/contacts`);
    await page.getByRole("row").nth(1).waitFor();
    const navigation = page.getByRole("navigation", { name: "Main", exact: true });
    await navigation.getByText("Harbour Desk").waitFor();
    expect(await navigation.getByRole("link", { name: "Contacts" }).isVisible()).toBe(true);
    for (const absent of ["Home", "Clients", "Earn", "Developers"]) {
      expect(await navigation.getByRole("link", { name: absent, exact: true }).count(), absent).toBe(0);
    }
    const accent = await page.locator("main").evaluate((main) => getComputedStyle(main).getPropertyValue("--t-accent").trim());
    expect(accent).toBe("#7a1f5c");
    await expectAccessible(page);
  });

  test("finds nothing at the addresses of others", async () => {
    portal.allow(/40[34]/);
    const { page } = await signIn("member");
    const other = await clientOf("Morrow Legal");
    const { body: contact } = await portal.call("POST", "/v1/contacts", {
      account_id: other.id,
      name: "Ola Hidden",
      phone: "+14155550177",
    });
    for (const path of [`/crm/${other.id}/contacts`, `/crm/${other.id}/contacts/${contact.id}`, `/crm/${other.id}/imports`]) {
      await page.goto(`${portal.base_url()}/portal${path}`);
      await page.getByText("There is no such account").waitFor();
      expect(await page.getByText(contact.name).count()).toBe(0);
    }
  });

  test("who may only read sees no act", async () => {
    const { page, harbour } = await signIn("read_only");
    await page.goto(`${portal.base_url()}/portal/crm/${harbour.id}/contacts`);
    await page.getByRole("row").nth(1).waitFor();
    expect(await page.getByRole("button", { name: "New contact" }).count()).toBe(0);
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.goto(`${portal.base_url()}/portal/crm/${harbour.id}/imports/new`);
    await page.getByText("You may look, and not import").waitFor();
  });
});
