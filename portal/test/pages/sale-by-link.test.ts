import { expect, test } from "vitest";
import { expectAccessible, inBrowser, settled } from "../support.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever the API replies.
type Json = any;

inBrowser(
  "a sale by a payment link",
  (portal) => {
    async function ask(method: string, path: string, body?: unknown): Promise<Json> {
      const reply = await portal.call(method, path, body);
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      return reply.body;
    }
    async function admin(path: string, body: unknown): Promise<void> {
      const headers = { authorization: `Bearer ${portal.first().operator_key}`, "content-type": "application/json" };
      const url = `${portal.base_url()}/v1/admin${path}`;
      const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      expect(reply.status, await reply.text()).toBe(201);
    }
    const pending = async () => {
      const { data } = await ask("GET", "/v1/partners/payouts/upcoming");
      return data.find(({ currency }: Json) => currency === "usd").pending_cents as number;
    };

    test("goes from an SMS to a paid link, a won deal, a commission and the next payout", async () => {
      await admin("/providers", { kind: "test", name: "Cards of the programme" });
      const { data: clients } = await ask("GET", "/v1/partners/clients?include_house=true&limit=100");
      const account_id = clients.find(({ house }: Json) => house).id as string;
      const deal = (await ask("GET", "/v1/partners/deals?q=dune")).data[0];
      const before = await pending();

      // Somebody writes from a phone of the simulator.
      const { hook_path } = await ask("POST", "/v1/channels", { account_id, kind: "simulator", name: "Sales number" });
      const from = "+12025551777";
      const written = await fetch(`${portal.base_url()}/simulator/${hook_path.split("/").at(-1)}/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ from, name: "Salma Idrissi", text: "We would like to begin. How do we pay?" }),
      });
      expect(written.status, await written.text()).toBe(201);
      const { data: conversations } = await ask("GET", `/v1/conversations?account_id=${account_id}&limit=100`);
      const conversation = conversations.find(({ address }: Json) => address === from);

      // The answer is a link, which wins the deal and charges its client once it is paid.
      const page = await portal.open(`/crm/${account_id}/payment-links?new=yes`);
      const dialog = page.getByRole("dialog", { name: "New payment link" });
      const choose = async (label: string, typed: string, option: string | RegExp) => {
        await dialog.getByRole("combobox", { name: label, exact: true }).fill(typed);
        await page.getByRole("option", { name: option }).first().click();
      };
      await choose("Contact", "Salma", /^Salma Idrissi/);
      await dialog.getByLabel("Amount").fill("1590");
      await dialog.getByLabel("What it is for").fill("First month of Scale");
      await dialog.getByText("Once it is paid").first().click();
      await choose("Deal", "dune", deal.name);
      await dialog.getByRole("combobox", { name: "Move the deal to" }).click();
      await page.getByRole("option", { name: "Won" }).click();
      await dialog.getByLabel("Tag the customer").fill("customer");
      await page.keyboard.press("Enter");
      await dialog.getByLabel("Write to the customer").fill("Thank you, your payment has arrived.");
      await dialog.getByRole("checkbox", { name: "Charge a client with it" }).check();
      await dialog.getByLabel("Tips to offer, in percent").waitFor({ state: "detached" });
      const then = dialog.getByRole("region", { name: "Once it is paid" });
      await expect
        .poll(() => then.getByRole("listitem").allInnerTexts())
        .toEqual([
          `${deal.name} moves to Won`,
          "The customer is tagged customer",
          "The customer reads “Thank you, your payment has arrived.”",
          "The client of the deal is charged, and you earn",
        ]);
      await settled(page);
      await expectAccessible(page);
      await dialog.getByRole("checkbox", { name: "SMS" }).check();
      await dialog.getByRole("button", { name: "Create and send" }).click();
      await page.getByRole("heading", { level: 1, name: /Salma Idrissi/ }).waitFor();
      await page.getByText(`${deal.name} moves to Won`).waitFor();
      const link = (await ask("GET", `/v1/billing/payment-links?account_id=${account_id}&deal_id=${deal.id}`)).data[0];
      expect(link).toMatchObject({ charge: {}, conversation_id: conversation.id, contact_id: conversation.contact_id });

      // The payer opens what the message says, and pays.
      await page.goto(`${portal.base_url()}/portal/crm/${account_id}/inbox/${conversation.id}`);
      await page.getByText(link.url).first().waitFor();
      const payer = await portal.visit(link.url);
      await payer.getByRole("button", { name: "Pay $1,590.00" }).click();
      await payer.getByRole("heading", { level: 1, name: "Test payment" }).waitFor();
      await payer.getByRole("button", { name: /^Pay/ }).click();
      await payer.getByRole("heading", { level: 1, name: "Thank you!" }).waitFor();

      // The partner sees all of it.
      await page.getByText("Thank you, your payment has arrived.").first().waitFor();
      const payment = (await ask("GET", `/v1/billing/payments?payment_link_id=${link.id}`)).data[0];
      await page.goto(`${portal.base_url()}/portal/crm/${account_id}/payments/${payment.id}`);
      await page.getByText("The deal was moved").waitFor();
      await page.getByText("The contact was tagged").waitFor();
      await page.getByText("The client was charged").waitFor();
      const won = await ask("GET", `/v1/partners/deals/${deal.id}`);
      expect(won.status).toBe("won");
      const { data: commissions } = await ask("GET", `/v1/partners/deals/commissions?client_id=${won.client_id}`);
      expect(commissions.length).toBeGreaterThan(0);
      await page.goto(`${portal.base_url()}/portal/earn/commissions/${commissions[0].id}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const earned = commissions.reduce((sum: number, { amount_cents }: Json) => sum + amount_cents, 0);
      expect(earned).toBeGreaterThan(0);
      expect((await pending()) - before).toBe(earned);
    });
  },
  { EGRESS: "development" },
);
