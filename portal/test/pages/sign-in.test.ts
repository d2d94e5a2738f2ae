import { expect, test } from "vitest";
import { expectAccessible, expectFits, inBrowser, PHONE } from "../support.ts";

inBrowser("signing in", (portal) => {
  test("a wrong password is refused in words; the right one leads to the page that was asked for", async () => {
    portal.allow(/401/);
    const page = await portal.open("/clients?state=active", { as: null });
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expectAccessible(page);
    const { email, password } = portal.first().owner;
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Clients", level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe("?state=active");
  });

  test("whoever signs out is asked to sign in, on the way back too", async () => {
    portal.allow(/401/);
    const page = await portal.open("/", { as: null });
    const { email, password } = portal.first().owner;
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: /you and your settings/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${portal.base_url()}/portal/clients`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("a session that ends under the hands is renewed over the page, and what was typed stays", async () => {
    portal.allow(/401/);
    const page = await portal.open("/", { as: null });
    const { email, password } = portal.first().owner;
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Clients" }).first().click();
    await page.getByRole("heading", { name: "Clients", level: 1 }).waitFor();
    await page.getByRole("button", { name: "New client" }).click();
    await page.getByLabel("Company").fill("Kept Words");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Create client" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: /Kept Words/, level: 1 }).waitFor();
    const { body } = await portal.call("GET", "/v1/partners/clients?q=Kept");
    expect(body.data.map(({ company }: { company: string }) => company)).toEqual(["Kept Words"]);
  });

  test("on a phone the form fits, in the dark too", async () => {
    portal.allow(/401/);
    const page = await portal.open("/", { as: null, viewport: PHONE, colorScheme: "dark" });
    await expectAccessible(page);
    await expectFits(page);
  });
});
