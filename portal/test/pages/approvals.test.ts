import { expect, test } from "vitest";
import { chatOf, SHOP } from "../../../server/test/harness/chat.ts";
import { expectAccessible, inBrowser, row, settled } from "../support.ts";

inBrowser(
  "approvals",
  (portal) => {
    const { call } = portal;

    test("what an agent asks for stands under Needs you as it comes, is approved and done once; another is refused", async () => {
      const account_id = (await call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
      const given = { account_id, kind: "webchat", name: "Desk", config: { title: "Desk", origins: [SHOP] } };
      const { body: channel } = await call("POST", "/v1/channels", given);
      const tag = { do: [{ tool: "add_tag", args: { tag: "window-table" } }], say: "I will ask.", go: "@end" };
      const content = { engine: "playbook", playbook: { start: "a", states: { a: tag } }, tools: { add_tag: "approve" } };
      const { body: agent } = await call("POST", "/v1/agents", { account_id, name: "Vera", content });
      await call("POST", `/v1/agents/${agent.id}/publish`, { version: 1 });
      await call("PUT", `/v1/agents/${agent.id}/channels`, { channel_ids: [channel.id] });
      const chat = chatOf(portal.base_url, channel);
      const approvals = async (status: string) =>
        (await call("GET", `/v1/approvals?account_id=${account_id}&status=${status}`)).body.data;
      /** Whoever has the tag: a visitor of a chat is a lead at first. */
      const tagged = async () => {
        const of = async (kind: string) => (await call("GET", `/v1/${kind}?account_id=${account_id}&tag=window-table`)).body.data;
        return [...(await of("contacts")), ...(await of("leads"))];
      };

      const page = await portal.open("/");
      const needs = page.locator("section").filter({ has: page.getByRole("heading", { name: "Needs you" }) });
      await needs.waitFor();
      expect(await needs.getByText("Vera asks for approval").count()).toBe(0);
      await (await chat.visit()).write("A table, please");
      await needs.getByText("Vera asks for approval").waitFor();
      await needs.getByText("To add tag, for Harbour Dental.").waitFor();
      await settled(page);
      await expectAccessible(page);

      await needs.getByRole("link", { name: "Decide: Vera asks for approval" }).click();
      const panel = page.getByRole("complementary", { name: "Add a tag" });
      await panel.getByText("Vera wants to use add_tag").waitFor();
      expect(await tagged()).toEqual([]);
      await panel.getByLabel("Why").fill("A regular");
      await settled(page);
      await expectAccessible(page);
      await panel.getByRole("button", { name: "Approve" }).click();
      await page.getByText("Approved: it is done in a moment").first().waitFor();
      await expect.poll(async () => (await tagged()).length).toBe(1);
      await page.getByRole("button", { name: "Approved" }).click();
      await row(page, "done").waitFor();
      expect(await approvals("approved")).toMatchObject([{ note: "A regular", result: { ok: true }, version: 3 }]);

      // The list hears of the next one by itself.
      await page.getByRole("button", { name: "Waiting" }).click();
      await page.getByText("Nothing waits for you").waitFor();
      await (await chat.visit()).write("Me too");
      await row(page, "Add a tag").click();
      await panel.getByRole("button", { name: "Reject" }).click();
      await page.getByText("Rejected: it is not done").first().waitFor();
      await page.getByText("Nothing waits for you").waitFor();
      expect(await approvals("rejected")).toMatchObject([{ result: null, executed_at: null }]);
      expect(await tagged()).toHaveLength(1);
      await page.goto(`${portal.base_url()}/portal/`);
      await needs.waitFor();
      await settled(page);
      expect(await needs.getByText("Vera asks for approval").count()).toBe(0);
    });
  },
  { SEED: "demo", EGRESS: "development" },
);
