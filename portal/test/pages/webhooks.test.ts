import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver, status } from "../../../server/test/harness/receiver.ts";
import { expectAccessible, expectFits, inBrowser, PHONE, row } from "../support.ts";

/** The receiver is on this machine, where a public service sends nothing. */
const RECEIVER_NEARBY = { EGRESS: "development" };

inBrowser(
  "webhooks",
  (portal) => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await startReceiver();
    });
    afterAll(() => receiver?.close());

    const deliveries = "ul[aria-label=Deliveries] li button";

    test("an endpoint that fails is seen to fail, heals, and gets what it missed", async () => {
      receiver.answer("/billing", status(500, { "content-type": "application/json" }, '{"error":"out of order"}'));
      const page = await portal.open("/developers/webhooks?new=yes");
      const panel = page.getByRole("complementary", { name: "New endpoint" });
      await panel.getByLabel("Address").fill(`${receiver.origin}/billing`);
      await panel.getByLabel("Description").fill("Billing");
      await panel.getByRole("button", { name: "Create endpoint" }).click();
      const ready = page.getByRole("dialog", { name: "The endpoint is ready" });
      expect(await ready.getByRole("region", { name: "Secret" }).textContent()).toMatch(/^whsec_/);
      await ready.getByRole("button", { name: "I have stored it" }).click();

      await page.getByRole("heading", { level: 1, name: /\/billing$/ }).waitFor();
      await page.getByRole("button", { name: "Send test" }).click();
      const detail = page.getByRole("region", { name: /^Delivery of/ });
      await detail.getByText('"out of order"').waitFor();
      await detail.getByRole("region", { name: "Request headers" }).getByText("X-Service-Signature").waitFor();
      await expectAccessible(page);
      for (let sent = 0; sent < 3; sent += 1) {
        await portal.call("POST", "/v1/partners/clients", { company: `Failing ${sent}` });
      }
      await page.getByText("Failing", { exact: true }).waitFor();

      await detail.getByRole("button", { name: "Retry now" }).click();
      await page.getByText("is sent as soon as the endpoint answers").waitFor();
      await portal.call("POST", "/v1/partners/clients", { company: "Missed at first" });
      const got = () => receiver.at("/billing").some(({ body }) => String(body).includes("Missed at first"));
      expect(got()).toBe(false);

      receiver.answer("/billing", status(204));
      await page.getByRole("button", { name: "More" }).first().click();
      await page.getByRole("menuitem", { name: "Pause…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByRole("button", { name: "Resume" }).click();
      await detail.getByText("204", { exact: true }).first().waitFor();
      await page.getByText("Live", { exact: true }).first().waitFor();
      await page.getByRole("button", { name: "Delivered" }).click();
      await detail.waitFor({ state: "detached" });
      await expect.poll(got).toBe(true);
      await page.locator(deliveries).first().press("Enter");
      await detail.getByText("204", { exact: true }).first().waitFor();
      await detail.press("Escape");
      await page.locator(`${deliveries}:focus`).waitFor();
    });

    test("a replay says how many events it sends before it sends them", async () => {
      const body = { url: `${receiver.origin}/replayed`, event_types: ["client.suspended"] };
      const { id } = (await portal.call("POST", "/v1/partners/webhooks", body)).body;
      const page = await portal.open(`/developers/webhooks/${id}?replay=yes`);
      await page.getByLabel("From").fill("2020-01-01T00:00");
      await page.getByText("Nothing matches").waitFor();
      await page.getByLabel("Only those that failed").uncheck();
      const act = page.getByRole("button", { name: /^Replay [1-9]\d* events?$/ });
      await act.waitFor();
      const count = Number(/\d+/.exec((await act.textContent()) ?? "")?.[0]);
      await act.click();
      await expect.poll(() => receiver.at("/replayed").length).toBe(count);
      expect(count).toBeGreaterThan(0);
      await page.getByText(`${count} of ${count} queued`).waitFor();
    });

    test("the doctor says what is wrong with a signature", async () => {
      const body = { url: `${receiver.origin}/examined`, event_types: ["client.created"] };
      const { id } = (await portal.call("POST", "/v1/partners/webhooks", body)).body;
      await portal.call("POST", `/v1/partners/webhooks/${id}/test`);
      await expect.poll(() => receiver.at("/examined").length).toBe(1);
      const [request] = receiver.at("/examined");
      const page = await portal.open(`/developers/webhooks/${id}?doctor=yes`);
      await page.getByLabel("Headers").fill(String(request?.headers["x-service-signature"]));
      await page.getByLabel("Body").fill(String(request?.body));
      await page.getByRole("button", { name: "Examine" }).click();
      await page.getByText("The signature is right").waitFor();
      await page.getByLabel("Body").fill(JSON.stringify(JSON.parse(String(request?.body)), null, 2));
      await page.getByRole("button", { name: "Examine" }).click();
      await page.getByText("Refused: reserialised json").waitFor();
      await page.getByText("Verify the raw bytes").waitFor();
      await expectAccessible(page);
    });

    test("pausing says what waits, and deleting wants the name", async () => {
      const { id } = (await portal.call("POST", "/v1/partners/webhooks", { url: `${receiver.origin}/paused` })).body;
      const read = async () => portal.call("GET", `/v1/partners/webhooks/${id}`);
      const page = await portal.open(`/developers/webhooks/${id}`);
      await page.getByRole("button", { name: "More" }).first().click();
      await page.getByRole("menuitem", { name: "Pause…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByRole("button", { name: "Resume" }).waitFor();
      expect((await read()).body.enabled).toBe(false);
      await page.getByRole("button", { name: "More" }).first().click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      const dialog = page.getByRole("dialog", { name: /^Delete/ });
      await dialog.getByLabel(/to confirm$/).fill(new URL(receiver.origin).host);
      portal.allow(/404/);
      await dialog.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
      expect((await read()).status).toBe(404);
    });

    test("on a phone a delivery covers the page", async () => {
      const { id } = (await portal.call("POST", "/v1/partners/webhooks", { url: `${receiver.origin}/phone` })).body;
      await portal.call("POST", `/v1/partners/webhooks/${id}/test`);
      const page = await portal.open("/developers/webhooks", { viewport: PHONE, colorScheme: "dark" });
      await row(page, "/phone").click();
      await page.locator(deliveries).first().click();
      await page.getByRole("button", { name: "Back to the deliveries" }).waitFor();
      await page.getByRole("region", { name: "Request body" }).waitFor();
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 640 });
      await expectFits(page);
    });
  },
  RECEIVER_NEARBY,
);
