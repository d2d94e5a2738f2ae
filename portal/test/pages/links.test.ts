import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../server/test/postgres/processes.ts";
import { expectAccessible, expectFits, inBrowser, PHONE, row } from "../support.ts";

/** The browser of these tests calls itself headless, which counts as a bot. */
const PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
/** The landing page is on this machine, without TLS. */
const LANDING_NEARBY = { EGRESS: "development" };

inBrowser(
  "affiliate links",
  (portal) => {
    let landing: Server;
    /** What the portal shows to put into the form of a landing page. */
    let field = "";
    const destination = () => `http://127.0.0.1:${(landing.address() as AddressInfo).port}/pricing`;

    beforeAll(async () => {
      landing = createServer((_, reply) => {
        reply.writeHead(200, { "content-type": "text/html" });
        reply.end(`<!doctype html><link rel="icon" href="data:,"><h1>Pricing</h1><form>${field}</form>`);
      }).listen(0, "127.0.0.1");
      await once(landing, "listening");
    });
    afterAll(() => void landing.close());

    async function admin(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const reply = await fetch(`${portal.base_url()}/v1/admin${path}`, {
        method,
        headers: { authorization: `Bearer ${portal.first().operator_key}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(reply.status, await reply.clone().text()).toBeLessThan(300);
      return reply.json();
    }
    const partner = async (method: string, path: string, body?: unknown) => {
      const reply = await portal.call(method, path, body);
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.body;
    };

    test("a link is made and followed; its lead, deal, sale and commission appear on its page, and are paid out", async () => {
      await admin("PATCH", "/programme", { hold_days: 0 }, { "if-match": "*" });
      const page = await portal.open("/earn/links", { permissions: ["clipboard-read", "clipboard-write"] });
      await page.getByRole("button", { name: "New link" }).click();
      const dialog = page.getByRole("dialog", { name: "New link" });
      await dialog.getByLabel("Leads to").fill(destination());
      await dialog.getByLabel("Code").fill("sp");
      await dialog.getByText("A code has 4 to 32 letters, digits and hyphens.", { exact: true }).waitFor();
      await dialog.getByLabel("Code").fill("spring-sale");
      await dialog.getByText(`${portal.base_url()}/r/spring-sale`).waitFor();
      await dialog.getByLabel("Campaign").fill("Spring newsletter");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("heading", { name: /^spring-sale/ }).waitFor();
      const url = `${portal.base_url()}/r/spring-sale`;
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.waitForFunction(async (copied) => (await navigator.clipboard.readText()) === copied, url);
      field = await page.getByRole("region", { name: "The field of the form" }).innerText();

      // A visitor follows the link, and the form of the landing page keeps the click.
      portal.allow(/^elsewhere: .*\/pricing/);
      const visitor = await portal.visit(url, { userAgent: PERSON });
      await visitor.getByRole("heading", { name: "Pricing" }).waitFor();
      expect(new URL(visitor.url()).searchParams.get("utm_campaign")).toBe("Spring newsletter");
      const click_id = await visitor.locator("[name=click_id]").inputValue();
      expect(click_id).toBe(new URL(visitor.url()).searchParams.get("click_id"));

      const lead = await partner("POST", "/v1/leads", { phone: "+14155552671", source: { kind: "affiliate", click_id } });
      const { deal } = await partner("POST", `/v1/leads/${lead.id}/convert`, {
        deal: { company: "Fern & Birk", plan: "Growth", mrr_cents: 50_000 },
      });
      const won = await partner("POST", `/v1/deals/${deal.id}/stage`, { stage: "Won" });
      const figure = (name: string, value: string) =>
        page
          .getByRole("listitem")
          .filter({ hasText: new RegExp(`^${name}${value}`) })
          .first()
          .waitFor();
      await figure("Clicks", "1");
      await figure("Leads", "1");
      await figure("Won", "1");
      await figure("Commission", "\\$100\\.00");
      const earned = await portal.open(`/earn/links/${new URL(page.url()).pathname.split("/").at(-1)}`);
      await earned.getByRole("link", { name: /^Commission\s*\$/ }).click();
      await earned.getByRole("heading", { level: 1, name: "Commissions" }).waitFor();
      await row(earned, "Fern & Birk").waitFor();
      expect(await earned.getByRole("row").count()).toBe(2);
      await earned.getByRole("button", { name: "Filters, 3" }).click();
      await expect.poll(() => earned.getByRole("combobox", { name: "Came by the link" }).inputValue()).toBe("spring-sale");
      await page.getByRole("button", { name: "Commission", exact: true }).click();
      await page.getByRole("list", { name: "Commission in usd, by day" }).waitFor();
      expect(new URL(page.url()).searchParams.get("show")).toBe("commissions");
      await expectAccessible(page);

      // The deal and the lead lead back.
      const sale = await portal.open(`/deals/${deal.id}`);
      await sale.getByRole("link", { name: "spring-sale" }).click();
      await sale.getByRole("heading", { name: /^spring-sale/ }).waitFor();
      const person = await portal.open(`/crm/${lead.account_id}/leads/${lead.id}`);
      await person.getByRole("link", { name: "spring-sale" }).waitFor();

      await admin("PUT", `/partners/${portal.first().partner_id}/payout-method`, {
        kind: "manual",
        holder: "Nora Lindqvist",
        instructions: "Cheque",
        currencies: ["usd", "eur"],
      });
      const charge = {
        external_id: "fern-1",
        amount_cents: 50_000,
        currency: "usd",
        months: 1,
        charged_at: new Date().toISOString(),
      };
      await admin("POST", `/clients/${won.client_id}/charges`, charge);
      const started = await admin("POST", "/payout-runs", {});
      await eventually("the end of the run", async () => (await admin("GET", `/payout-runs/${started.id}`)).state === "finished");
      const [commission] = (await partner("GET", `/v1/partners/deals/commissions?deal_id=${deal.id}`)).data;
      expect(commission).toMatchObject({ amount_cents: 10_000, status: "scheduled" });
      const payouts = (await partner("GET", "/v1/partners/payouts")).data as { id: string; currency: string }[];
      const payout = payouts.find(({ currency }) => currency === "usd");
      const paidBy = (await partner("GET", `/v1/partners/payouts/${payout?.id}/commissions`)).data as { id: string }[];
      expect(paidBy.map(({ id }) => id)).toContain(commission.id);
      await admin("POST", `/payouts/${payout?.id}/paid`, { reference: "TRB-1" }, { "if-match": "*" });
      expect((await partner("GET", `/v1/partners/deals/commissions/${commission.id}`)).status).toBe("paid");
    });

    test("what the API refuses is shown at its field: a page that is not allowed, and a code that is taken", async () => {
      portal.allow(/^4(09|22) POST /);
      portal.allow(/status of 4(09|22)/);
      const page = await portal.open("/earn/links?new=yes");
      const dialog = page.getByRole("dialog", { name: "New link" });
      await dialog.getByLabel("Leads to").fill("http://shop.example/");
      await dialog.getByLabel("Code").fill("Autumn-1etter");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.getByText("destination_url must begin with https://.").waitFor();
      await dialog.getByLabel("Leads to").fill("https://shop.example/");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.getByText("The code Autumn-1etter is already in use.").waitFor();
      await expectAccessible(page);
      await dialog.getByRole("link", { name: "Open your link with it" }).click();
      await page.getByRole("heading", { name: /^autumn-letter/ }).waitFor();
    });

    test("a link is changed, paused and archived, each with its consequence and its way back", async () => {
      const page = await portal.open("/earn/links");
      await row(page, "northwind-blog").getByRole("button", { name: "More about northwind-blog" }).click();
      await page.getByRole("menuitem", { name: "Pause…" }).click();
      await page.getByRole("dialog", { name: "Pause northwind-blog?" }).getByText("count for nothing").waitFor();
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await row(page, "northwind-blog").getByText("paused").first().waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await row(page, "northwind-blog").getByText("active").first().waitFor();
      await row(page, "northwind-blog").click();
      await page.getByRole("heading", { name: /^northwind-blog/ }).waitFor();
      await page.getByRole("button", { name: "More about northwind-blog" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit northwind-blog" });
      await dialog.getByLabel("Window, days").fill("30");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("A click counts for 30 days").waitFor();
      await page.getByRole("button", { name: "More about northwind-blog" }).click();
      await page.getByRole("menuitem", { name: "Archive…" }).click();
      await page.getByRole("button", { name: "Archive", exact: true }).click();
      await page.getByText("The link is archived: clicks do not count").waitFor();
      await page.getByRole("button", { name: "More about northwind-blog" }).click();
      await page.getByRole("menuitem", { name: "Restore" }).click();
      await page.getByText("The link is archived").waitFor({ state: "detached" });
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "SVG" }).click();
      expect((await download).suggestedFilename()).toBe("northwind-blog.svg");
    });

    test("a colleague who may only read sees the figures, and nothing to change; on a phone too", async () => {
      const page = await portal.open("/earn/links", { as: "reader", viewport: PHONE, colorScheme: "dark" });
      await row(page, "autumn-letter").waitFor();
      expect(await page.getByRole("button", { name: "New link" }).count()).toBe(0);
      await expectAccessible(page);
      await row(page, "autumn-letter").click();
      await page.getByRole("heading", { name: /^autumn-letter/ }).waitFor();
      await page.getByRole("img", { name: /^QR code of/ }).waitFor();
      expect(await page.getByRole("button", { name: /^More about/ }).count()).toBe(0);
      await expectAccessible(page);
      // The tabs of the chart are below the screen, and stay there.
      await page.setViewportSize({ width: 320, height: 600 });
      await page.reload();
      await page.getByRole("button", { name: "Clicks", exact: true }).waitFor();
      const scrolled = "[...document.querySelectorAll('*')].filter((part) => part.scrollTop > 0).length";
      expect(await page.evaluate(scrolled)).toBe(0);
      await expectFits(page);
    });

    test("the operator blocks a link of a partner with a reason, and gives it back", async () => {
      const page = await portal.open("/links", { as: "operator" });
      await row(page, "autumn-letter").filter({ hasText: "Northwind Agency" }).press("Enter");
      const panel = page.getByRole("complementary", { name: "autumn-letter" });
      await panel.getByRole("button", { name: "Block…" }).click();
      const dialog = page.getByRole("dialog", { name: "Block autumn-letter?" });
      await dialog.getByRole("textbox", { name: "Reason" }).fill("It imitates a bank.");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Block", exact: true }).click();
      await panel.getByText("You blocked it: it leads nowhere").waitFor();
      await row(page, "autumn-letter").waitFor({ state: "detached" });
      const code = async () => (await fetch(`${portal.base_url()}/r/autumn-letter`, { redirect: "manual" })).status;
      expect(await code()).toBe(404);
      await expectAccessible(page);
      await panel.getByRole("link", { name: "Why" }).click();
      await row(page, "affiliate_links.block").waitFor();
      await page.goBack();
      await panel.getByRole("button", { name: "Unblock" }).click();
      await page.getByText("autumn-letter is paused; its partner can activate it").waitFor();
      expect(await code()).toBe(302);
      const [{ id }] = (await partner("GET", "/v1/partners/affiliate-links?code=autumn-letter")).data;
      await partner("PATCH", `/v1/partners/affiliate-links/${id}`, { status: "active" });
    });

    test("the operator says where links may lead", async () => {
      const page = await portal.open("/programme", { as: "operator" });
      await page.getByRole("combobox", { name: "Hosts" }).fill("shop.example");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The programme is saved").waitFor();
      expect((await admin("GET", "/programme")).link_hosts).toEqual(["shop.example"]);
      const refused = await portal.call("POST", "/v1/partners/affiliate-links", { destination_url: "https://other.example/" });
      expect(refused.body).toMatchObject({ code: "link_destination_refused", reason: "host_not_allowed" });
    });
  },
  LANDING_NEARBY,
);
