import { expect, test } from "vitest";
import { expectAccessible, inBrowser, PHONE, row } from "../support.ts";

inBrowser("commissions", (portal) => {
  /** The operator's API, which reports what clients pay. */
  async function operator(path: string, body: unknown): Promise<Record<string, unknown>> {
    const reply = await fetch(`${portal.base_url()}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${portal.first().operator_key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(reply.status, await reply.clone().text()).toBeLessThan(300);
    return (await reply.json()) as Record<string, unknown>;
  }
  const read = async (path: string) => (await portal.call("GET", path)).body;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

  test("a deal that is won earns; its charge settles the amount, and the page explains the figures", async () => {
    const page = await portal.open("/deals");
    const card = page.getByRole("button", { name: /^Dune Architects,/ });
    await card.focus();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Won" }).press("Enter");
    // 20 % of $1,590.00, the rate of gold.
    await page.getByRole("link", { name: "$318.00" }).click();
    await row(page, "Dune Architects").filter({ hasText: "waits for the first charge" }).waitFor();
    await expectAccessible(page);
    await row(page, "Dune Architects").click();
    await page.getByText("The sale as it was won: $1,590.00 a month.").waitFor();
    await page.getByText("20% of $1,590.00, by the rule Gold, version 1.").waitFor();
    await page.getByText("Waits for the client's first charge", { exact: true }).first().waitFor();
    await expectAccessible(page);

    const { id: deal_id, client_id } = (await read("/v1/deals?company=Dune%20Architects")).data[0];
    const charge = { external_id: "dune-1", amount_cents: 150_000, currency: "usd", months: 1, charged_at: daysAgo(1) };
    const { id: charge_id } = await operator(`/v1/admin/clients/${client_id}/charges`, charge);
    // The page is told of the change, and shows what became of the commission.
    await page.getByRole("link", { name: "Adjustment, first charge" }).click();
    await page.getByText("Charge of $1,500.00 for 1 month; 1 of 1 counts.").waitFor();
    await page.getByText("The first charge earns $300.00; $318.00 was recorded at the win.").waitFor();
    await page.getByRole("heading", { name: "What became of it" }).waitFor();

    await operator(`/v1/admin/charges/${charge_id}/refunds`, {
      external_id: "dune-r",
      amount_cents: 50_000,
      refunded_at: daysAgo(0),
    });
    await page.getByRole("link", { name: "Reversal, refund" }).click();
    await page.getByText("You keep $200.00 of $300.00.").waitFor();
    await page.getByRole("link", { name: "Open the deal" }).click();
    await page.getByRole("heading", { name: "What this sale earned" }).waitFor();
    expect((await read(`/v1/partners/deals/commissions?deal_id=${deal_id}`)).data).toHaveLength(3);
  });

  test("the tier shows what is missing, and what each tier gives", async () => {
    const { value, required } = (await read("/v1/partners/account/tier")).progress[0];
    const page = await portal.open("/earn/tier");
    await page.getByText("You are Gold, next is Platinum").waitFor();
    await page
      .getByText(`${required - value} more active clients`, { exact: true })
      .first()
      .waitFor();
    const bar = page.getByRole("progressbar", { name: "Active clients" }).first();
    expect(await bar.getAttribute("aria-valuenow")).toBe(String(Math.floor((100 * value) / required)));
    const benefits = page.getByRole("table", { name: "Benefits by tier" });
    await benefits
      .getByRole("row", { name: /^First month/ })
      .getByText("25%")
      .waitFor();
    await expectAccessible(page);
  });

  test("a sub-partner is invited, and stands in the list", async () => {
    const page = await portal.open("/earn/sub-partners");
    await page.getByRole("button", { name: "Invite sub-partner" }).first().click();
    await page.getByLabel("Company").fill("Skerry Digital");
    await page.getByLabel("Name of the owner").fill("Una Skerry");
    await page.getByLabel("Email of the owner").fill("una@skerry.example");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("dialog", { name: "Skerry Digital is invited" }).getByText("una@skerry.example").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await row(page, "Skerry Digital").waitFor();
    const reader = await portal.open("/earn/sub-partners", { as: "reader" });
    await row(reader, "Skerry Digital").waitFor();
    expect(await reader.getByRole("button", { name: "Invite sub-partner" }).count()).toBe(0);
  });

  test("charges are narrowed by days of the viewer, both included, and a charge opens by its address", async () => {
    const { client_id } = (await read("/v1/partners/charges?limit=1")).data[0];
    const report = (external_id: string, charged_at: string) =>
      operator(`/v1/admin/clients/${client_id}/charges`, { external_id, amount_cents: 1_00, currency: "usd", charged_at });
    await report("day-before", "2026-01-10T07:59:00Z");
    const { id } = await report("first-minute", "2026-01-10T08:00:00Z");
    await report("last-minute", "2026-01-12T07:59:00Z");
    await report("day-after", "2026-01-12T08:00:00Z");
    const page = await portal.open("/earn/charges", { timezoneId: "America/Los_Angeles" });
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("From").fill("2026-01-10");
    await page.getByLabel("To, inclusive").fill("2026-01-11");
    await page.getByText("Filters, 2").waitFor();
    await row(page, "last-minute").filter({ hasText: "11 Jan" }).waitFor();
    await row(page, "first-minute").filter({ hasText: "10 Jan" }).waitFor();
    expect(await row(page, /day-(before|after)/).count()).toBe(0);

    const opened = await portal.open(`/earn/charges?outcome=zero&open=${id}`);
    await opened.getByRole("heading", { name: /paid \$1\.00$/ }).waitFor();
    await opened.getByRole("heading", { name: "What it earned" }).waitFor();
  });

  test("a month of the chart opens the commissions that it is the sum of", async () => {
    const { data } = await read("/v1/partners/deals/commissions/summary?group_by=month&currency=usd");
    const { key, amount_cents, count } = data.at(-1);
    const page = await portal.open("/earn/commissions", { timezoneId: "Asia/Tokyo" });
    const narrowed = page.waitForResponse((reply) => reply.url().includes("accrued_after"));
    const name = new Date(`${key}-01`).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
    await page.getByRole("link", { name }).click();
    const request = await narrowed;
    const rows = ((await request.json()) as { data: { amount_cents: number }[] }).data;
    expect(rows).toHaveLength(count);
    expect(rows.reduce((sum, one) => sum + one.amount_cents, 0)).toBe(amount_cents);
    await page.getByRole("button", { name: "Filters, 2" }).click();
    await page.getByLabel("Month, in UTC").first().waitFor();
  });

  test("the ledger shows the balances and both sides of the book, now and on a day; on a phone too", async () => {
    const owed = (await read("/v1/partners/deals/commissions?summary=true&limit=1")).summary.find(
      ({ currency }: { currency: string }) => currency === "usd",
    );
    const dollars = (cents: number) => new Intl.NumberFormat("en-US", { style: "currency", currency: "usd" }).format(cents / 100);
    const page = await portal.open("/earn/ledger");
    await page
      .getByRole("link", { name: /^Pending/ })
      .getByText(dollars(owed.pending_cents))
      .waitFor();
    await row(page, "Commission recorded").first().waitFor();
    await page.getByRole("button", { name: "Trial balance" }).click();
    const trial = page.getByRole("table", { name: "Trial balance in usd" });
    const total = trial.getByRole("row", { name: /^Total/ });
    await total.waitFor();
    const [debit, credit] = await total.getByRole("cell").allInnerTexts();
    expect(debit).toMatch(/\d/);
    expect(debit).toBe(credit);
    await page.getByLabel("As of the end of this day").fill("2020-01-31");
    await page.getByText("At the end of 31 Jan 2020.").waitFor();
    const phone = await portal.open("/earn/ledger", { viewport: PHONE, colorScheme: "dark" });
    await row(phone, "Commission recorded").first().waitFor();
    await expectAccessible(phone);
  });
});
