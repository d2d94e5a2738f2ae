import { expect, test } from "vitest";
import { expectAccessible, inBrowser, PHONE, row, settled } from "../support.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever the API replies.
type Json = any;

inBrowser(
  "billing",
  (portal) => {
    const { call } = portal;
    const harbour = async () => (await call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
    const one = async (path: string): Promise<Json> => (await call("GET", `/v1/billing${path}`)).body;

    async function newLink(fields: object = {}): Promise<Json> {
      const link = { account_id: await harbour(), customer: { name: "Bo Lind" }, amount_cents: 20_000, currency: "usd" };
      const { status, body } = await call("POST", "/v1/billing/payment-link", { ...link, ...fields });
      expect(status, JSON.stringify(body)).toBe(201);
      return body;
    }

    test("a link is created with its page beside the form, sent, and stands in the conversation", async () => {
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/payment-links`);
      await page.getByRole("button", { name: "New payment link" }).click();
      const dialog = page.getByRole("dialog", { name: "New payment link" });
      await dialog.getByLabel("Or somebody new").fill("Ida Fern");
      expect(await dialog.getByRole("checkbox", { name: "SMS" }).isDisabled()).toBe(true);
      await dialog.getByLabel("Phone").fill("+14155552633");
      await dialog.getByLabel("Amount").fill("142.80");
      await dialog.getByLabel("What it is for").fill("Crown, second visit");
      const preview = dialog.getByRole("figure", { name: "What Ida Fern will see" });
      await preview.getByText("Pay $142.80").waitFor();
      await preview.getByText("Crown, second visit").waitFor();
      await settled(page);
      await expectAccessible(page);
      await dialog.getByRole("checkbox", { name: "SMS" }).check();
      await dialog.getByRole("button", { name: "Create and send" }).click();
      await page.getByRole("heading", { level: 1, name: /Ida Fern/ }).waitFor();
      await page.getByText("$0.00 of $142.80 is paid").waitFor();
      await page.getByRole("link", { name: "The link by SMS" }).click();
      const thread = page.getByRole("region", { name: "Conversation with Ida Fern" });
      await thread
        .getByText(/\/pay\//)
        .first()
        .waitFor();
      const { data } = await one(`/payment-links?account_id=${account}`);
      expect(data[0]).toMatchObject({
        total_cents: 14_280,
        description: "Crown, second visit",
        deliveries: [{ channel: "sms" }],
      });
    });

    test("items add up, and what the API refuses stands at its field", async () => {
      portal.allow(/422/);
      const page = await portal.open(`/crm/${await harbour()}/payment-links?new=yes`);
      const dialog = page.getByRole("dialog", { name: "New payment link" });
      await dialog.getByLabel("Or somebody new").fill("Olof Birk");
      await dialog.getByRole("button", { name: "List items instead" }).click();
      await dialog.getByLabel("Item 1", { exact: true }).fill("Check-up");
      await dialog.getByLabel("Quantity of item 1").fill("2");
      await dialog.getByLabel("Price of item 1").fill("60.50");
      await dialog.getByText("$121.00").first().waitFor();
      await dialog.getByLabel("Phone").fill("12");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.getByText(/phone/i).nth(1).waitFor();
      await dialog.getByLabel("Phone").fill("");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await page.getByText("$0.00 of $121.00 is paid").waitFor();
    });

    test("a payment is recorded by hand, and a part of it refunded with a reason", async () => {
      const link = await newLink({ partial: {} });
      const page = await portal.open(`/crm/${link.account_id}/payment-links/${link.id}`);
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Record a payment…" }).click();
      const record = page.getByRole("dialog", { name: "Record a payment of Bo Lind" });
      await record.getByLabel("Amount, USD").fill("150");
      await record.getByRole("button", { name: "Record payment" }).click();
      await page.getByText("$150.00 of $200.00 is paid").waitFor();
      expect(await page.getByRole("progressbar", { name: "Paid" }).getAttribute("aria-valuenow")).toBe("75");
      await page.getByRole("link", { name: /^R-/ }).click();
      await page.getByRole("heading", { level: 1, name: /^R-/ }).waitFor();
      await page.getByText("$150.00 from").waitFor();
      await page.getByRole("button", { name: "Refund…" }).first().click();
      const dialog = page.getByRole("dialog", { name: /^Refund R-/ });
      await dialog.getByLabel("Amount, USD").fill("50");
      await dialog.getByLabel("Reason").fill("Visit shortened");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Refund" }).click();
      await page.getByText("$50.00 was refunded").waitFor();
      await page.getByText("Visit shortened").waitFor();
      const { data } = await one(`/payments?payment_link_id=${link.id}`);
      expect(data[0]).toMatchObject({ refunded_cents: 5_000, status: "partially_refunded" });
    });

    test("a link is disabled and enabled again, then cancelled with its consequence", async () => {
      const link = await newLink();
      const page = await portal.open(`/crm/${link.account_id}/payment-links/${link.id}`, { viewport: PHONE });
      const act = async (name: string) => {
        await page.getByRole("button", { name: "More actions" }).click();
        await page.getByRole("menuitem", { name }).click();
      };
      await act("Disable");
      await page.getByText("The link is disabled").waitFor();
      await act("Enable");
      await page.getByText("The link is disabled").waitFor({ state: "detached" });
      await act("Cancel…");
      await page.getByText("Whoever is just paying can complete it").waitFor();
      await page.getByRole("button", { name: "Cancel link" }).click();
      await page.getByText("The link is cancelled").first().waitFor();
      expect((await one(`/payment-links/${link.id}`)).status).toBe("cancelled");
    });

    test("a provider is added and tested; whoever only reads changes nothing", async () => {
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/payment-providers?new=yes`);
      await page.getByRole("combobox", { name: "Kind" }).click();
      await page.getByRole("option", { name: "Test", exact: true }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Second trial");
      await page.getByRole("button", { name: "Add provider" }).click();
      await page.getByRole("button", { name: "Ask the provider" }).click();
      await page.getByText("accepted").waitFor();
      await expectAccessible(page);
      const reader = await portal.open(`/crm/${account}/payment-links`, { as: "reader" });
      await row(reader, "active").first().waitFor();
      expect(await reader.getByRole("button", { name: "New payment link" }).count()).toBe(0);
      await reader.goto(`${portal.base_url()}/portal/crm/${account}/payments`);
      await reader.getByRole("row").nth(1).click();
      await reader.getByRole("button", { name: "Receipt" }).first().waitFor();
      expect(await reader.getByRole("button", { name: "Refund…" }).count()).toBe(0);
    });
  },
  { EGRESS: "development" },
);
