import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../../server/test/harness/receiver.ts";
import { expectAccessible, inBrowser, PHONE } from "../support.ts";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20" fill="#7a1f5c"/></svg>';

/** The logos are on this machine, which the service reaches in development. */
const SETTINGS = { EGRESS: "development" };

inBrowser(
  "logos",
  (portal) => {
    let server: Receiver;
    beforeAll(async () => {
      server = await startReceiver();
      server.answer("/logo.svg", (reply) => void reply.writeHead(200, { "content-type": "image/svg+xml" }).end(SVG));
      server.answer("/none", (reply) => void reply.writeHead(404).end());
    });
    afterAll(() => server.close());

    /** The picture is there, and has come through our own origin. */
    async function expectShown(image: Locator) {
      await image.waitFor();
      await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth)).toBe(40);
      expect(await image.evaluate((one: HTMLImageElement) => new URL(one.currentSrc).origin)).toBe(portal.base_url());
    }

    test("a client's logo is seen in its CRM, in the choice of accounts, on its page, and where its customers pay", async () => {
      const { id } = (await portal.call("GET", "/v1/partners/clients?q=harbour")).body.data[0];
      const branding = { product_name: "Harbour Desk", logo_url: `${server.origin}/logo.svg` };
      await portal.call("PATCH", `/v1/partners/clients/${id}`, { branding });
      const page = await portal.open(`/crm/${id}/contacts`);
      const side = page.getByRole("navigation", { name: "Main", exact: true });
      await expectShown(side.locator("img"));
      await expect.poll(() => page.title()).toBe("Contacts · Harbour Desk");
      await expectAccessible(page);
      await side
        .getByRole("button", { name: /choose account/ })
        .first()
        .click();
      await expectShown(page.getByRole("menuitem", { name: "Harbour Dental" }).locator("img"));
      await page.goto(`${portal.base_url()}/portal/clients/${id}`);
      await expectShown(page.getByRole("heading", { level: 1 }).locator("img"));
      const phone = await portal.open(`/crm/${id}/contacts`, { viewport: PHONE });
      await expectShown(phone.locator("header img"));

      const asked = { account_id: id, customer: { name: "Ada Byrne" }, amount_cents: 4_900, currency: "usd" };
      const { body: link } = await portal.call("POST", "/v1/billing/payment-link", asked);
      await expectShown((await portal.visit(new URL(link.url).pathname)).locator("header img"));
      expect(server.at("/logo.svg")).toHaveLength(1);
    });

    test("the partner's own is saved and seen at once; one that does not load says why, and the initial stays", async () => {
      portal.allow(/404/);
      const page = await portal.open("/settings/company");
      const preview = page.getByRole("img", { name: /^A page of/ });
      await page.getByLabel("Logo").fill(`${server.origin}/logo.svg`);
      await page.getByText("The logo is shown here once it is saved.").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await expectShown(preview.locator("img"));
      await expectShown(page.getByRole("navigation", { name: "Main", exact: true }).locator("img"));
      await page.getByLabel("Logo").fill(`${server.origin}/none`);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The server of the image answered 404.").waitFor();
      await preview.locator("img").waitFor({ state: "detached" });
    });
  },
  SETTINGS,
);
