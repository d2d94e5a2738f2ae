import { expect, test } from "vitest";
import { expectAccessible, inBrowser, row, settled } from "../support.ts";

inBrowser("the operator's money", (portal) => {
  /** The API with the operator's key. */
  async function admin(method: string, path: string, body?: unknown) {
    const reply = await fetch(`${portal.base_url()}/v1/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${portal.first().operator_key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever the API replies.
    return (await reply.json()) as any;
  }

  /** A sale of the demo partner that is won: the client, and what the win earned. */
  async function won(company: string) {
    const sale = {
      company,
      company_domain: `${company.toLowerCase().replaceAll(" ", "-")}.example`,
      plan: "Growth",
      mrr_cents: 50_000,
    };
    const { body: deal } = await portal.call("POST", "/v1/partners/deals", sale);
    const { body } = await portal.call("POST", `/v1/deals/${deal.id}/stage`, { stage: "won" });
    expect(body.client_id, JSON.stringify(body)).toMatch(/^cli_/);
    const { data } = await admin("GET", `/partners/${portal.first().partner_id}/commissions?deal_id=${deal.id}&level=0`);
    return { client_id: body.client_id as string, commission: data[0] };
  }

  test("a rule is changed after a look at what it would have paid; the old version stays in its history", async () => {
    const { grade } = await admin("GET", `/partners/${portal.first().partner_id}`);
    const { client_id } = await won("Cedar Optics");
    const facts = { external_id: "in_cedar_1", amount_cents: 50_000, currency: "usd", charged_at: new Date().toISOString() };
    await admin("POST", `/clients/${client_id}/charges`, facts);
    const page = await portal.open("/programme/rules", { as: "operator" });
    const { data: rules } = await admin("GET", `/rules?scope=grade&grade=${grade}`);
    const [rule] = rules;
    await row(page, new RegExp(`^${grade} partners`, "i")).click();
    await page.getByRole("heading", { level: 1, name: rule.name }).waitFor();
    await page.getByLabel("First month", { exact: true }).fill(String((rule.first.bps + 300) / 100));
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.getByText("Would have paid", { exact: true }).first().waitFor();
    // Three percent more of what the client paid.
    await page.getByText("+$15.00").first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.getByText("is version 2", { exact: false }).first().waitFor();
    await page.getByRole("button", { name: "Save as version 3" }).waitFor();
    await settled(page);
    const { data } = await admin("GET", `/rules/${rule.id}/versions`);
    expect(data).toMatchObject([
      { version: 2, first: { bps: rule.first.bps + 300 }, recurring: rule.recurring },
      { version: 1, first: rule.first },
    ]);
    await page
      .getByText(`${rule.first.bps / 100}% first`, { exact: false })
      .first()
      .waitFor();
  });

  test("a charge is reported, shows what it earned, and its refund takes that back", async () => {
    const { client_id, commission } = await won("Alder Clinic");
    const page = await portal.open(`/charges?new=yes&partner=${portal.first().partner_id}`, { as: "operator" });
    const panel = page.getByRole("complementary", { name: "Report a charge" });
    await panel.getByRole("combobox", { name: "Client" }).fill("Alder");
    await page.getByRole("option", { name: "Alder Clinic" }).click();
    await panel.getByLabel("Paid", { exact: true }).fill("400");
    await panel.getByLabel("Reference").fill("in_alder_1");
    await panel.getByRole("button", { name: "Report charge" }).click();
    await page.getByRole("heading", { level: 1, name: /Alder Clinic/ }).waitFor();
    await page.getByText("First", { exact: true }).waitFor();
    await page
      .getByText(/first charge/)
      .first()
      .waitFor();
    const due = (commission.amount_cents * 400) / 500 / 100;
    await page.getByText(`together $${due.toFixed(2)}`).waitFor();
    await expectAccessible(page);

    await page.getByRole("button", { name: "Refund…" }).click();
    const dialog = page.getByRole("dialog", { name: "Refund Alder Clinic" });
    await dialog.getByText("Everything that was earned from this charge is taken back").waitFor();
    await dialog.getByLabel("Reference").fill("re_alder_1");
    await dialog.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByText("together $0.00").waitFor();
    const { data } = await admin("GET", `/partners/${portal.first().partner_id}/charges?client_id=${client_id}`);
    expect(data).toMatchObject([{ external_id: "in_alder_1", amount_cents: 40_000, refunded_cents: 40_000, outcome: "earned" }]);
  });

  test("a balance is adjusted, and stands in the partner's book at once", async () => {
    const { partner_id } = portal.first();
    const page = await portal.open(`/partners/${partner_id}`, { as: "operator" });
    await page.getByRole("button", { name: "Adjust balance…" }).click();
    const panel = page.getByRole("complementary", { name: /Adjust the balance/ });
    await panel.getByLabel("Amount").fill("123.45");
    await panel.getByLabel("Reference").fill("ADJ-1");
    await panel.getByLabel("Description").fill("Autumn campaign");
    await panel.getByRole("button", { name: "Adjust balance" }).click();
    await page.getByText("$123.45 is booked for Northwind Agency").waitFor();
    await page.getByRole("button", { name: "Commissions", exact: true }).click();
    await row(page, "Adjustment, bonus").getByText("$123.45").first().waitFor();
    await page.getByRole("button", { name: "Tier", exact: true }).click();
    await page.getByRole("button", { name: "Set by hand…" }).waitFor();
    await settled(page);
    await expectAccessible(page);
  });

  test("a commission is held with the reason and what it leaves alone, then released", async () => {
    const { commission } = await won("Birch Bakery");
    const page = await portal.open(`/commissions/${commission.id}`, { as: "operator" });
    await page.getByRole("list", { name: "How it was calculated" }).waitFor();
    await page.getByRole("button", { name: "Hold…" }).click();
    const dialog = page.getByRole("dialog", { name: "Hold this commission?" });
    await dialog.getByText("Overrides that came of the same sale are not held").waitFor();
    await dialog.getByLabel("Reason").fill("The bank asks");
    await dialog.getByRole("button", { name: "Hold", exact: true }).click();
    await page.getByRole("button", { name: "Release" }).waitFor();
    await page.getByText("The bank asks").first().waitFor();
    await expectAccessible(page);
    expect(await admin("GET", `/commissions/${commission.id}`)).toMatchObject({ status: "held", hold_reason: "The bank asks" });
    await page.getByRole("button", { name: "Release" }).click();
    await page.getByText("The commission is pending").waitFor();
    expect((await admin("GET", `/commissions/${commission.id}`)).status).toBe("pending");
  });

  test("when and from which amount on partners are paid is set, and a fault stands at its field", async () => {
    const { payout_cron, payout_time_zone, payout_minimums, payout_debtor } = await admin("GET", "/programme");
    const page = await portal.open("/programme", { as: "operator" });
    const payouts = page.locator("section", { has: page.getByRole("heading", { name: "Payouts" }) });
    await payouts.getByRole("combobox", { name: "Runs start" }).click();
    await page.getByRole("option", { name: "Another schedule…" }).click();
    await payouts.getByLabel("Cron expression").fill("* * * * *");
    await payouts.getByLabel("Holder").fill("Tributary GmbH");
    await payouts.getByLabel("IBAN").fill("DE90 3704 0044 0532 0130 00");
    portal.allow(/422/);
    await page.getByRole("button", { name: "Save" }).click();
    await payouts.getByText("At most once an hour: the first field").waitFor();
    await payouts.getByText("The check digits do not match").waitFor();
    await expectAccessible(page);

    await payouts.getByLabel("Cron expression").fill("30 8 L * *");
    await payouts.getByLabel("IBAN").fill("DE89 3704 0044 0532 0130 00");
    await payouts.getByRole("combobox", { name: "Time zone" }).fill("Berlin");
    await page.getByRole("option", { name: "Europe/Berlin" }).click();
    await payouts.getByRole("button", { name: "Minimum" }).click();
    await payouts.getByRole("textbox", { name: "Minimum in usd" }).fill("75.5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The programme is saved").waitFor();
    await settled(page);
    expect(await admin("GET", "/programme")).toMatchObject({
      payout_cron: "30 8 L * *",
      payout_time_zone: "Europe/Berlin",
      payout_minimums: { usd: 7_550 },
      payout_debtor: { name: "Tributary GmbH", iban: "DE89370400440532013000" },
    });
    await page.getByRole("button", { name: "Undo" }).click();
    await payouts.getByLabel("Cron expression").waitFor({ state: "detached" });
    const before = { payout_cron, payout_time_zone, payout_minimums, payout_debtor };
    expect(await admin("GET", "/programme")).toMatchObject(before);
  });

  test("a tier has minimums of its own", async () => {
    const page = await portal.open("/programme/tiers?open=gold", { as: "operator" });
    const panel = page.getByRole("complementary", { name: "Gold" });
    await panel.getByRole("button", { name: "Minimum" }).click();
    await panel.getByRole("textbox", { name: "Minimum in usd" }).fill("20");
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("payouts from $20.00").first().waitFor();
    expect((await admin("GET", "/tiers/gold")).payout_minimums).toEqual({ usd: 2_000 });
  });
});
