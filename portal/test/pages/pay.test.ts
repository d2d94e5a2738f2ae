import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessFaults, expectAccessible, inBrowser, PHONE } from "../support.ts";

const CARDS = {
  paid: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  extra: "4000 0000 0000 3220",
  later: "4000 0000 0000 0077",
};

// biome-ignore lint/suspicious/noExplicitAny: whatever the API replies.
type Link = any;

inBrowser("the pay page", (portal) => {
  const { call } = portal;

  /** A link of an account whose provider is the test provider. */
  async function newLink(fields: object = {}): Promise<Link> {
    const account_id = (await call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
    const { data } = (await call("GET", `/v1/billing/providers?account_id=${account_id}`)).body;
    if (data.length === 0) await call("POST", "/v1/billing/providers", { account_id, kind: "test", name: "Trial" });
    const link = { account_id, customer: { name: "Ada Okafor" }, amount_cents: 14_280, currency: "usd", description: "Check-up" };
    const { status, body } = await call("POST", "/v1/billing/payment-link", { ...link, ...fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
  const now = async ({ id }: Link): Promise<Link> => (await call("GET", `/v1/billing/payment-links/${id}`)).body;
  const attemptsOf = async ({ id }: Link) => (await call("GET", `/v1/billing/payment-links/${id}/attempts`)).body.data as Link[];
  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

  async function giveCard(page: Page, card: string): Promise<void> {
    await heading(page, "Test payment").waitFor();
    await page.getByLabel("Card number").fill(card);
    await page.getByRole("button", { name: /^Pay/ }).click();
  }

  test("is paid in full by a click and a card, and shows a receipt", async () => {
    const link = await newLink({
      due_on: "2027-01-31",
      tip: { percentages: [10] },
      collect: [{ key: "seat", label: "Which seat?", required: true }],
    });
    const page = await portal.visit(link.url);
    await heading(page, "Payment to").waitFor();
    await page.getByText("Due on January 31, 2027").waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel("Amount of the tip").isVisible()).toBe(false);
    await page.getByRole("radio", { name: "10 % $14.28" }).check();
    await page.getByLabel("Which seat?").fill("12");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await giveCard(page, CARDS.paid);
    await heading(page, "Thank you!").waitFor();
    await page.getByText("Your payment of $157.08 has arrived.").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Show the receipt" }).click();
    await heading(page, /^Receipt TEST-/).waitFor();
    await page.getByRole("cell", { name: "Ada Okafor" }).waitFor();
    await expectAccessible(page);
    expect(await now(link)).toMatchObject({ status: "paid", paid_cents: 14_280, tips_cents: 1_428 });
    await page.goto(link.url);
    await page.getByText("This has been paid in full. Thank you!").waitFor();
  });

  test("is paid in parts, with what is wrong said above the form", async () => {
    portal.allow(/422/);
    const link = await newLink({ partial: { min_first_cents: 5_000 } });
    const page = await portal.visit(link.url);
    const amount = page.getByLabel("Amount to pay now");
    await amount.fill("20");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("alert").getByText("Enter an amount between $50.00 and $142.80.").waitFor();
    await expectAccessible(page);
    await amount.fill("60,00");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await giveCard(page, CARDS.paid);
    await page.getByRole("link", { name: "Pay another part" }).click();
    await page.getByText("$60.00 of $142.80 is paid.").waitFor();
    await expect.poll(() => page.getByRole("progressbar").getAttribute("value")).toBe("6000");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await giveCard(page, CARDS.paid);
    await heading(page, "Thank you!").waitFor();
    expect(await now(link)).toMatchObject({ status: "paid", paid_cents: 14_280 });
  });

  test("says why a card was declined, and takes another one", async () => {
    const link = await newLink();
    const page = await portal.visit(link.url);
    await page.getByRole("button", { name: "Pay $142.80" }).click();
    await giveCard(page, CARDS.declined);
    await heading(page, "The payment did not go through").waitFor();
    await page.getByText("The card was declined.").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Pay $142.80" }).click();
    await giveCard(page, CARDS.paid);
    await heading(page, "Thank you!").waitFor();
    expect((await attemptsOf(link)).map(({ state }) => state)).toEqual(["succeeded", "failed"]);
  });

  test("leads through an extra step", async () => {
    const link = await newLink();
    const page = await portal.visit(link.url);
    await page.getByRole("button", { name: "Pay $142.80" }).click();
    await giveCard(page, CARDS.extra);
    await page.getByText("The bank asks for a confirmation.").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await heading(page, "Thank you!").waitFor();
    expect((await now(link)).status).toBe("paid");
  });

  test("waits by itself for a payment that is decided later", async () => {
    // Decided when the test says so, however long the page takes.
    await portal.sql(`create function wait() returns trigger language plpgsql as
      $$ begin new.then_at = new.then_at + interval '1 day'; return new; end $$`);
    await portal.sql("create trigger wait before update on test_sessions for each row execute function wait()");
    const link = await newLink();
    const page = await portal.visit(link.url);
    await page.getByRole("button", { name: "Pay $142.80" }).click();
    await giveCard(page, CARDS.later);
    await heading(page, "Your payment is being processed").waitFor();
    expect(await now(link)).toMatchObject({ paid_cents: 0, reserved_cents: 14_280 });
    await portal.sql("drop trigger wait on test_sessions");
    await portal.sql("update test_sessions set then_at = now() where then_at is not null");
    await heading(page, "Thank you!").waitFor();
    expect(await now(link)).toMatchObject({ status: "paid", paid_cents: 14_280, reserved_cents: 0 });
  });

  test("cannot be paid twice by two tabs: the second sees the first, and can end it", async () => {
    const link = await newLink();
    const first = await portal.visit(link.url);
    const second = await portal.visit(link.url);
    await first.getByRole("button", { name: "Pay $142.80" }).click();
    await heading(first, "Test payment").waitFor();
    portal.allow(/409|422/);
    await second.getByRole("button", { name: "Pay $142.80" }).click();
    await heading(second, "Being paid right now").waitFor();
    await expectAccessible(second);
    await second.getByRole("button", { name: "End that payment and start again" }).click();
    await second.getByRole("button", { name: "Pay $142.80" }).click();
    await giveCard(second, CARDS.paid);
    await heading(second, "Thank you!").waitFor();
    await first.getByRole("button", { name: /^Pay/ }).click();
    await heading(first, "The payment did not go through").waitFor();
    expect(await now(link)).toMatchObject({ status: "paid", paid_cents: 14_280, reserved_cents: 0 });
  });

  test("makes one attempt, however often one clicks and goes back", async () => {
    const link = await newLink();
    const page = await portal.visit(link.url);
    await page.getByRole("button", { name: "Pay $142.80" }).dblclick();
    await heading(page, "Test payment").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: /^(Pay|End)/ }).waitFor();
    expect(await attemptsOf(link)).toHaveLength(1);
    expect(await now(link)).toMatchObject({ reserved_cents: 14_280 });
  });

  test("is not touched by whoever only opens it", async () => {
    const link = await newLink();
    for (const method of ["GET", "HEAD"]) expect((await fetch(link.url, { method })).status).toBe(200);
    await Promise.all(Array.from({ length: 5 }, () => fetch(link.url, { headers: { "user-agent": "Slackbot-LinkExpanding" } })));
    expect(await attemptsOf(link)).toEqual([]);
    expect((await now(link)).version).toBe(link.version);
  });

  test("says that it has expired, was cancelled, or is disabled", async () => {
    const expired = await newLink();
    await portal.sql(`update payment_links set expires_at = now() - interval '1 day' where id = '${expired.id}'`);
    const page = await portal.visit(expired.url);
    await heading(page, "Expired").waitFor();
    await expectAccessible(page);
    for (const [action, text] of [
      ["cancel", "has ended this request for payment"],
      ["disable", "This cannot be paid at the moment"],
    ] as const) {
      const link = await newLink();
      await call("POST", `/v1/billing/payment-links/${link.id}/${action}`);
      await page.goto(link.url);
      await page.getByText(text).waitFor();
    }
  });

  test("needs no script, and fits a phone", async () => {
    const link = await newLink({ tip: { percentages: [10, 15, 20] }, partial: {}, line_items: undefined });
    const page = await portal.visit(link.url, {
      javaScriptEnabled: false,
      viewport: { width: 320, height: 640 },
      hasTouch: true,
    });
    const box = await page.locator("main").boundingBox();
    expect(box?.width).toBe(320);
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await giveCard(page, CARDS.paid);
    await heading(page, "Thank you!").waitFor();
    expect((await now(link)).status).toBe("paid");
  });

  test("can be read at night, and on a phone is not wider than it", async () => {
    const link = await newLink({ tip: { percentages: [10] }, partial: {} });
    const page = await portal.visit(link.url, { colorScheme: "dark", viewport: PHONE });
    expect(await accessFaults(page, "color-contrast")).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(13, 18, 22)");
  });

  test.for([
    ["en", "English", "Pay $142.80", "Thank you!"],
    ["de", "Deutsch", "142,80 $ zahlen", "Vielen Dank!"],
    ["fr", "Français", "Payer 142,80 $US", "Merci !"],
    ["es", "Español", "Pagar 142,80 US$", "¡Gracias!"],
    ["pt", "Português", "Pagar US$ 142,80", "Obrigado!"],
  ] as const)("speaks %s: by the browser, and by a choice that stays until the end", async ([locale, name, pay, thanks]) => {
    const link = await newLink();
    const page = await portal.visit(link.url, { locale: locale === "en" ? "de-DE" : `${locale}-XX` });
    if (locale === "en") await page.getByRole("link", { name }).click();
    await page.locator(`html[lang=${locale}]`).waitFor();
    expect(await page.getByRole("link", { name }).getAttribute("aria-current")).toBe("true");
    const button = page.getByRole("button");
    expect((await button.innerText()).replaceAll(/\s/g, " ")).toBe(pay);
    await button.click();
    await giveCard(page, CARDS.paid);
    await heading(page, thanks).waitFor();
  });
});
