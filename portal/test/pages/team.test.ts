import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, inBrowser, row } from "../support.ts";

const PASSWORD = "a long walk by the harbour";

inBrowser("the team", (portal) => {
  /** Invites by the portal and gives the link. */
  async function invite(page: Page, name: string, role: string): Promise<string> {
    await page.getByRole("button", { name: "Invite" }).first().click();
    const panel = page.getByRole("complementary", { name: "Invite" });
    await panel.getByLabel("Name").fill(name);
    await panel.getByLabel("Email").fill(`${name.toLowerCase()}@northwind.example`);
    await panel.getByRole("radio", { name: role }).check();
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog", { name: `${name} is invited` });
    const link = (await dialog.getByRole("region", { name: "Link" }).textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    return link;
  }

  async function accept(link: string): Promise<Page> {
    const page = await portal.open(new URL(link).pathname.replace("/portal", "") + new URL(link).hash, { as: null });
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    return page;
  }

  test("somebody is invited by a link, joins in another browser, and a lesser role shows there at once", async () => {
    portal.allow(/401/);
    const owner = await portal.open("/settings/team");
    const link = await invite(owner, "Mio", "Administrator");
    await row(owner, "invited").filter({ hasText: "Mio" }).waitFor();
    const mio = await accept(link);
    await mio.goto(`${portal.base_url()}/portal/settings/team`);
    await mio.getByRole("button", { name: "Invite" }).first().waitFor();

    await owner.reload();
    await row(owner, "Mio").filter({ hasText: "active" }).click();
    const panel = owner.getByRole("complementary", { name: "Mio" });
    await panel.getByRole("radio", { name: "Read only" }).check();
    await panel.getByText("What they lose ends at once").waitFor();
    await panel.getByRole("button", { name: "Save" }).click();
    await row(owner, "Read only").waitFor();

    await mio.evaluate("window.dispatchEvent(new Event('focus'))");
    await mio.getByText("Owners and administrators invite people").waitFor();
    expect(await mio.getByRole("button", { name: "Invite" }).count()).toBe(0);
    for (const path of ["/settings/api", "/developers/webhooks", "/clients"]) {
      await mio.goto(`${portal.base_url()}/portal${path}`);
      await mio.getByRole("heading", { level: 1 }).waitFor();
      await mio.getByText(/\d\+? loaded/).waitFor();
      expect(await mio.getByRole("button", { name: /^(Create|New) / }).count()).toBe(0);
    }
    await mio.goto(`${portal.base_url()}/portal/settings/company`);
    await mio.getByText("can change this").waitFor();
    expect(await mio.getByLabel("Company", { exact: true }).isDisabled()).toBe(true);
  });

  test("an invitation that is repeated ends the former link; a removal ends the session", async () => {
    portal.allow(/401/);
    const owner = await portal.open("/settings/team");
    const first = await invite(owner, "Ines", "Member");
    await row(owner, "Ines").click();
    await owner.getByRole("button", { name: "Invite again" }).click();
    const dialog = owner.getByRole("dialog", { name: "Ines is invited" });
    const second = (await dialog.getByRole("region", { name: "Link" }).textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    const { pathname, hash } = new URL(first);
    const late = await portal.open(pathname.replace("/portal", "") + hash, { as: null });
    await late.getByRole("heading", { name: "This invitation does not work" }).waitFor();

    const ines = await accept(second);
    await owner.reload();
    await row(owner, "Ines").filter({ hasText: "active" }).click();
    await owner.getByRole("button", { name: "Remove…" }).click();
    const remove = owner.getByRole("dialog", { name: "Remove Ines?" });
    await remove.getByText("Every session of theirs ends at once").waitFor();
    await remove.getByRole("button", { name: "Remove", exact: true }).click();
    await owner.getByText("Ines is removed").waitFor();
    await ines.reload();
    await ines.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});
