import { expect, test } from "vitest";
import { expectAccessible, inBrowser, PHONE, row } from "../support.ts";

inBrowser("payouts", (portal) => {
  /** The API with the operator's key. */
  async function admin(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const reply = await fetch(`${portal.base_url()}/v1/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${portal.first().operator_key}`,
        "if-match": "*",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    expect(reply.status, text).toBeLessThan(300);
    return text === "" ? {} : JSON.parse(text);
  }
  const earn = (amount_cents: number, reference: string) =>
    admin("POST", `/partners/${portal.first().partner_id}/adjustments`, {
      amount_cents,
      currency: "usd",
      reason_code: "bonus",
      reference,
    });

  test("an owner clears what blocks the payout; the run pays it, and its page has a statement", async () => {
    await admin("DELETE", `/partners/${portal.first().partner_id}/payout-method`);
    await earn(123_45, "BONUS-1");
    const page = await portal.open("/earn/payouts");
    await page.getByText(/cannot be paid: there is no payout method/).waitFor();
    await expectAccessible(page);

    // Nothing is set yet, a password that is too old, and an account number with a wrong digit.
    portal.allow(/40[34] (GET|PUT) .*payout-method|422 PUT .*payout-method|console: .*payout-method/);
    await portal.ageSessions();
    await page.getByRole("link", { name: "Add payout method" }).click();
    await page.getByText("You have no payout method yet").waitFor();
    await page.getByLabel("SEPA transfer, in euro to an IBAN").check();
    await page.getByRole("textbox", { name: "IBAN" }).fill("de89370400440532013001");
    expect(await page.getByRole("textbox", { name: "IBAN" }).inputValue()).toBe("DE89 3704 0044 0532 0130 01");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add payout method" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Password", { exact: true }).fill(portal.first().owner.password);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByText(/check digits/i).waitFor();
    await page.getByLabel("By hand, in other currencies").check();
    await page.getByLabel("Instructions").fill("Account 12345678, sort code 12-34-56");
    await page.getByRole("button", { name: "Add payout method" }).click();
    await page.getByText("You are paid by manual transfer in USD").waitFor();

    await page.getByRole("link", { name: "Earn" }).first().click();
    await page.getByRole("link", { name: "Payouts" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
    await admin("POST", "/payout-runs", {});
    await row(page, "scheduled").first().click();
    await page.getByRole("heading", { level: 1, name: /^S-\d+/ }).waitFor();
    const receipt = page.getByRole("list", { name: "What makes up the amount" });
    await receipt.getByText("Gross").waitFor();
    await page
      .getByRole("row", { name: /The operator Adjustment, bonus/ })
      .getByText("$123.45")
      .waitFor();
    await expectAccessible(page);
    const href = await page.getByRole("link", { name: "Statement", exact: true }).getAttribute("href");
    const paper = await page.request.get(`${portal.base_url()}${href}`);
    expect([paper.status(), paper.headers()["content-type"]]).toEqual([200, "application/pdf"]);
    expect((await paper.body()).subarray(0, 5).toString()).toBe("%PDF-");

    // What the operator reports is shown at once.
    const id = new URL(page.url()).pathname.split("/").at(-1);
    await admin("POST", `/payouts/${id}/failed`, { failure: "Account closed" });
    await page.getByText("could not be paid").waitFor();
    await page.getByText("Account closed").first().waitFor();
    await admin("POST", `/payouts/${id}/cancel`);
    await page.getByText("Nothing was paid with it.", { exact: false }).waitFor();
    await page.getByRole("heading", { name: "What it would have paid" }).waitFor();
  });

  test("the history is narrowed by its address, and the commission leads to its payout", async () => {
    const page = await portal.open("/earn/payouts?state=paid", { viewport: PHONE, colorScheme: "dark" });
    await row(page, "S-000001").waitFor();
    expect(await row(page, "cancelled").count()).toBe(0);
    await expectAccessible(page);
    const { body } = await portal.call("GET", "/v1/partners/deals/commissions?status=paid&limit=1");
    const commission = await portal.open(`/earn/commissions/${body.data[0].id}`);
    await commission.getByRole("link", { name: "Open the payout" }).click();
    await commission.getByText(/was paid on/).waitFor();
  });

  test("an admin sees where the company is paid, and who can change it", async () => {
    const page = await portal.open("/settings/payout-method?edit=yes", { as: "admin" });
    await page.getByText("Only an owner of your company can change it: Nora Lindqvist.").waitFor();
    expect(await page.getByRole("button", { name: /payout method|Remove/ }).count()).toBe(0);
    const body = { kind: "sepa", holder: "Ada Mirren", iban: "DE89370400440532013000" };
    const refused = await page.request.put(`${portal.base_url()}/portal/api/v1/partners/account/payout-method`, {
      data: body,
      headers: { origin: portal.base_url() },
    });
    expect([refused.status(), (await refused.json()).code]).toEqual([403, "role_required"]);
    const blocked = await portal.open("/earn/payouts", { as: "admin" });
    await blocked.getByRole("link", { name: "See who can change it" }).first().waitFor();
  });
});
