import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { expectAccessible, inBrowser, PHONE, row, settled } from "../support.ts";

inBrowser("payout runs", (portal) => {
  /** The API with the operator's key. */
  async function admin(method: string, path: string, body?: unknown) {
    const reply = await fetch(`${portal.base_url()}/v1/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${portal.first().operator_key}`, "content-type": "application/json", "if-match": "*" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(reply.ok, `${method} ${path}: ${reply.status}`).toBe(true);
    // biome-ignore lint/suspicious/noExplicitAny: whatever the API replies.
    return (await reply.json()) as any;
  }

  /** A partner with an approved balance; paid by hand, unless it has no payout method. */
  async function newPayee(company: string, amount_cents: number, method = true): Promise<string> {
    const email = `${company.toLowerCase().replaceAll(" ", "-")}@payees.example`;
    const { id } = await admin("POST", "/partners", { company, owner: { name: "Ida Fern", email } });
    const manual = { kind: "manual", holder: company, instructions: "Account 12345678", currencies: ["usd"] };
    if (method) await admin("PUT", `/partners/${id}/payout-method`, manual);
    const bonus = { amount_cents, currency: "usd", reason_code: "bonus", reference: "seed" };
    await admin("POST", `/partners/${id}/adjustments`, bonus);
    return id as string;
  }

  /** The payout of a partner after a run. */
  async function scheduled(partner_id: string) {
    const { id } = await admin("POST", "/payout-runs");
    await expect.poll(async () => (await admin("GET", `/payout-runs/${id}`)).state).toBe("finished");
    return (await admin("GET", `/payouts?partner_id=${partner_id}`)).data[0];
  }

  test("a run is previewed, started, put into a file, and paid; the partner's balance says so", async () => {
    await admin("PATCH", "/programme", { payout_debtor: null });
    const kestrel = await newPayee("Kestrel Works", 20_000);
    await newPayee("Lapwing Media", 30_000, false);
    const page = await portal.open("/payout-runs", { as: "operator" });
    await page.getByRole("button", { name: "New run" }).click();
    await page.getByRole("heading", { level: 1, name: "New payout run" }).waitFor();
    await row(page, "Kestrel Works").getByText("$200.00").first().waitFor();
    await page.getByRole("button", { name: /^Blocked/ }).click();
    await row(page, "Lapwing Media").waitFor();
    await page.getByText("No payout method: an owner adds one").waitFor();
    expect(page.url()).toContain("show=blocked");
    await settled(page);
    await expectAccessible(page);

    await page.getByRole("button", { name: "Start the run…" }).click();
    await page.getByRole("dialog").getByText("No money moves yet").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Start the run" }).click();
    await page.getByRole("heading", { level: 1, name: /^Run of .* finished/ }).waitFor();
    await row(page, "Kestrel Works").getByText("scheduled").first().waitFor();
    await row(page, "No payout method").waitFor();

    await page.getByRole("button", { name: "Make a bank file…" }).click();
    const dialog = page.getByRole("dialog", { name: "Make a file for the bank" });
    await dialog.getByText("can no longer be cancelled").waitFor();
    await dialog.getByText("SEPA (XML)").click();
    await dialog.getByText("There is no account to pay from").waitFor();
    await dialog.getByText("CSV, for any bank or by hand").click();
    await dialog.getByRole("button", { name: "Make the file" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: /^Download the CSV file/ }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toContain("Kestrel Works");
    await row(page, "Kestrel Works").getByText("processing").first().waitFor();

    await page.getByRole("checkbox", { name: "Select Kestrel Works" }).click();
    await page.getByRole("toolbar").getByRole("button", { name: "Mark paid…" }).click();
    const paid = page.getByRole("dialog", { name: "Mark Kestrel Works as paid" });
    await paid.getByLabel("Reference").fill("TRB-1");
    await paid.getByRole("button", { name: "Mark as paid" }).click();
    await row(page, "Kestrel Works").getByText("TRB-1").first().waitFor();
    await settled(page);
    await expectAccessible(page);
    expect((await admin("GET", `/partners/${kestrel}/commissions?summary=true`)).summary).toMatchObject([
      { currency: "usd", approved_cents: 0, scheduled_cents: 0, paid_cents: 20_000 },
    ]);
    await row(page, "Kestrel Works").click();
    await page.waitForURL(/\/payouts\//);
    await page.getByRole("link", { name: "Kestrel Works" }).click();
    await page.getByRole("button", { name: "Overview", exact: true }).click();
    await page.getByRole("link", { name: /^Paid\s*\$200\.00/ }).waitFor();
  });

  test("a payout that failed is tried again, and paid by a table of outcomes", async () => {
    const payout = await scheduled(await newPayee("Merlin Studio", 9_000));
    const page = await portal.open(`/payouts/${payout.id}`, { as: "operator" });
    await page.getByRole("button", { name: "Mark failed…" }).click();
    const failed = page.getByRole("dialog", { name: "Mark Merlin Studio as failed" });
    await failed.getByLabel("Reason").fill("Account closed");
    await failed.getByRole("button", { name: "Mark as failed" }).click();
    await page.getByText("Account closed. It is still owed").waitFor();
    await settled(page);
    await expectAccessible(page);
    await page.getByRole("link", { name: "All payouts" }).click();
    await page.getByText(/^\d+ payouts? failed/).waitFor();
    await page.getByRole("button", { name: /^Mend/ }).click();
    await row(page, "Merlin Studio").click();
    await page.getByRole("button", { name: "Try again…" }).click();
    await page.getByRole("dialog").getByText("as attempt 2").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: /scheduled/ }).waitFor();

    await page.getByRole("link", { name: /^Run of/ }).click();
    await page.getByRole("button", { name: "Report outcomes…" }).click();
    const panel = page.getByRole("complementary", { name: "Report outcomes" });
    await panel.getByLabel("Table").fill(`payout_id,outcome\n${payout.id},lost`);
    await panel.getByText('Line 2: the outcome "lost" is neither paid nor failed.').waitFor();
    await panel.getByLabel("Table").fill(`payout_id,outcome,reference\n${payout.id},paid,TRB-2`);
    await panel.getByText("1 will change").waitFor();
    await settled(page);
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Report 1 outcome" }).click();
    await panel.getByRole("heading", { name: "1 changed" }).waitFor();
    expect(await admin("GET", `/payouts/${payout.id}`)).toMatchObject({ status: "paid", reference: "TRB-2", attempt: 2 });
  });

  test("on a phone payouts are selected, and failed or paid", async () => {
    const payout = await scheduled(await newPayee("Dunlin Trade", 6_000));
    const page = await portal.open("/payouts?status=scheduled", { as: "operator", viewport: PHONE });
    const box = page.getByRole("checkbox", { name: /^Select Dunlin Trade/ });
    // Beside the box, as fingers do.
    await page
      .locator("label")
      .filter({ has: box })
      .click({ position: { x: 6, y: 6 } });
    await expect.poll(() => box.isChecked()).toBe(true);
    await page.getByRole("toolbar").getByRole("button", { name: "Mark paid…" }).waitFor();
    await settled(page);
    await expectAccessible(page);
    await page.getByRole("toolbar").getByRole("button", { name: "Mark failed…" }).click();
    const failed = page.getByRole("dialog", { name: "Mark Dunlin Trade as failed" });
    await failed.getByLabel("Reason").fill("Account closed");
    await failed.getByRole("button", { name: "Mark as failed" }).click();
    await page.getByRole("toolbar").waitFor({ state: "detached" });
    expect((await admin("GET", `/payouts/${payout.id}`)).status).toBe("failed");

    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await row(page, "Dunlin Trade").click();
    await page.getByRole("button", { name: "Try again…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
    for (const name of ["Cancel…", "Mark failed…"]) await page.getByRole("button", { name }).waitFor();
    await page.getByRole("button", { name: "Mark paid…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mark as paid" }).click();
    await page.getByRole("heading", { level: 1, name: /paid/ }).waitFor();
  });

  test("a payout is cancelled with its consequence", async () => {
    const payout = await scheduled(await newPayee("Petrel Group", 7_000));
    const page = await portal.open(`/payouts/${payout.id}`, { as: "operator" });
    await page.getByRole("button", { name: "Cancel…" }).click();
    await page.getByRole("dialog").getByText("approved again and in the next run").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the payout" }).click();
    await page.getByRole("heading", { level: 1, name: /cancelled/ }).waitFor();
    expect((await admin("GET", `/payouts/${payout.id}`)).status).toBe("cancelled");
  });

  test("a partner's payout method is set without being shown again, and its payouts are held with a reason", async () => {
    portal.allow(/payout-method/); // Asked for before there is one, and refused with a wrong account.
    const sandpiper = await newPayee("Sandpiper Ltd", 8_000, false);
    const page = await portal.open(`/partners/${sandpiper}?tab=payouts`, { as: "operator" });
    await page.getByRole("button", { name: "Set a payout method…" }).click();
    const panel = page.getByRole("complementary", { name: "Payout method of Sandpiper Ltd" });
    await panel.getByLabel("IBAN").fill("DE89 3704 0044 0532 0130 01");
    await panel.getByRole("button", { name: "Set the method" }).click();
    await panel.getByText(/check digits/).waitFor();
    await panel.getByText("By hand").click();
    await panel.getByLabel("Instructions").fill("Account 87654321");
    await panel.getByRole("button", { name: "Set the method" }).click();
    await page.getByRole("button", { name: "Change…" }).waitFor();
    expect(await page.content()).not.toContain("87654321");

    await page.getByRole("button", { name: "Hold payouts…" }).click();
    const dialog = page.getByRole("dialog", { name: "Hold the payouts of Sandpiper Ltd?" });
    await dialog.getByLabel("Reason").fill("The bank asks");
    await dialog.getByRole("button", { name: "Hold", exact: true }).click();
    await page.getByText("Payouts are held", { exact: true }).waitFor();
    await page.getByText("The bank asks").first().waitFor();
    await settled(page);
    await expectAccessible(page);
    const preview = await admin("POST", "/payout-runs/preview", {});
    const codes = preview.data.find((one: { partner_id: string }) => one.partner_id === sandpiper).blockers;
    expect(codes).toMatchObject([{ code: "payouts_held" }]);
    await page.getByRole("button", { name: "Release" }).click();
    await page.getByRole("button", { name: "Hold payouts…" }).waitFor();
    expect((await admin("GET", `/partners/${sandpiper}/payout-hold`)).held).toBe(false);
  });
});
