import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, expectFits, inBrowser, PHONE, row, settled } from "../support.ts";

inBrowser(
  "agents",
  (portal) => {
    const { call } = portal;
    const harbour = async () => (await call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
    const agentOf = async (id: string) => (await call("GET", `/v1/agents/${id}`)).body;
    const text = (page: Page) => page.getByRole("textbox", { name: "Playbook" });

    /** A chat for the pages of a shop, which anybody may show. */
    const newChat = async (account_id: string) =>
      (await call("POST", "/v1/channels", { account_id, kind: "webchat", name: "Shop chat", config: { title: "Harbour Desk" } }))
        .body;

    /** Makes an agent from the example, as somebody who sees the page for the first time does; its id. */
    async function create(page: Page, name: string): Promise<string> {
      await page.getByRole("button", { name: "New agent" }).click();
      const form = page.getByRole("complementary", { name: "New agent" });
      await form.getByLabel("Name").fill(name);
      await form.getByRole("button", { name: "Create agent" }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await text(page).waitFor();
      return /agt_[0-9a-z]+/.exec(page.url())?.[0] ?? "";
    }

    async function say(page: Page, message: string): Promise<void> {
      await page.getByRole("textbox", { name: "Message" }).fill(message);
      await page.getByRole("button", { name: "Send", exact: true }).click();
    }

    test("a playbook with a fault is mended, tried, published, answers in a chat, and somebody takes over", async () => {
      portal.allow(/422/);
      const account = await harbour();
      const chat = await newChat(account);
      const page = await portal.open(`/crm/${account}/agents`);
      const id = await create(page, "Nora");
      await settled(page);
      await expectAccessible(page);

      // A state that does not exist: the fault stands at its line, and leads there.
      const playbook = await text(page).inputValue();
      await text(page).fill(playbook.replace(`"go": "save"`, `"go": "safe"`));
      await page.getByText("Draft 1, not saved").waitFor();
      await page.getByRole("button", { name: "Save draft" }).click();
      const faults = page.getByRole("alert", { name: "What is wrong" });
      const line = playbook.slice(0, playbook.indexOf(`"go": "save"`)).split("\n").length;
      await faults.getByRole("button", { name: `Line ${line} safe is no state, @handoff or @end.` }).click();
      const selected = () =>
        text(page).evaluate((area) => {
          const { value, selectionStart, selectionEnd } = area as HTMLTextAreaElement;
          return value.slice(selectionStart, selectionEnd);
        });
      await expect.poll(selected).toBe(`"safe"`);
      await settled(page);
      await expectAccessible(page);
      await text(page).fill(playbook.replace("What is your monthly budget?", "How much a month?"));
      await page.keyboard.press("Control+s");
      await page.getByText("Draft 1 is saved").first().waitFor();
      await faults.waitFor({ state: "detached" });

      // The flow and the outline lead to the text.
      await page
        .getByRole("region", { name: "Flow of the states" })
        .getByRole("button", { name: /^later/ })
        .click();
      await page.getByRole("button", { name: "Outline" }).click();
      await page
        .getByRole("region", { name: "Slots" })
        .getByRole("button", { name: /^budget/ })
        .click();
      await expect.poll(() => text(page).evaluate((area) => document.activeElement === area)).toBe(true);

      // The sandbox says what would happen.
      await page.getByRole("button", { name: "Sandbox" }).click();
      const said = page.getByRole("log", { name: "What was said" });
      for (const [message, answer] of [
        ["Hi", "Is it about a website or about ads?"],
        ["ads", "How much a month?"],
        ["900", "Where can we write to you?"],
        ["ida@fern.example", "A person takes over"],
      ] as const) {
        await say(page, message);
        await said.getByText(answer).waitFor();
      }
      const effects = page.getByRole("region", { name: "What would have happened" });
      await effects.getByText("qualified").first().waitFor();
      await effects.getByText("Live writes: 0.").waitFor();
      await effects.getByRole("button", { name: "Expect what happened" }).click();
      await effects.getByRole("button", { name: "Run the checks" }).click();
      await effects.getByText("passed").waitFor();
      await settled(page);
      await expectAccessible(page);
      expect((await call("GET", `/v1/leads?account_id=${account}&q=ida`)).body.data).toEqual([]);

      // Published with its channel, it answers.
      await page.getByRole("button", { name: "Publish…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByText("choose its channels now").first().waitFor();
      await page.getByRole("button", { name: "Settings", exact: true }).click();
      const settings = page.getByRole("complementary", { name: "Settings of Nora" });
      await settings.getByLabel("Shop chat").check();
      await settings.getByRole("button", { name: "Save" }).click();
      await expect.poll(async () => (await agentOf(id)).channel_ids.length).toBe(1);
      await page.getByText("answers", { exact: true }).first().waitFor();

      const shop = await page.context().newPage();
      await shop.goto(`${portal.base_url()}/chat/demo?channel=${chat.hook_path.split("/").at(-1)}`);
      await shop.getByRole("button", { name: "Open chat" }).click();
      await shop.getByRole("textbox", { name: "Message" }).fill("Hello there");
      await shop.keyboard.press("Enter");
      await shop.getByRole("log").getByText("Is it about a website or about ads?").waitFor();

      // Every turn is opened up, and somebody takes over in the inbox.
      await page.getByRole("button", { name: "Sessions" }).click();
      await row(page, "waits for the person").click();
      await page.getByText("Hello there").waitFor();
      await page.getByText("Hi, I am Nora of Harbour Dental.").waitFor();
      await settled(page);
      await expectAccessible(page);
      await page.getByRole("link", { name: "Open in the inbox" }).click();
      const thread = page.getByRole("region", { name: /^Conversation with/ });
      await thread.getByRole("button", { name: "Take over" }).click();
      await thread.getByText("You answer here.").waitFor();
      await thread.getByRole("textbox", { name: "Reply" }).fill("I am a person.");
      await page.keyboard.press("Control+Enter");
      await shop.getByRole("log").getByText("I am a person.").waitFor();
    });

    test("a second version shows what it changes, is published, and rolled back", async () => {
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/agents`);
      const id = await create(page, "Otto");
      await call("POST", `/v1/agents/${id}/publish`, { version: 1 });
      await page.getByText("Version 1, published").waitFor();
      await text(page).fill((await text(page).inputValue()).replace("Where can we write to you?", "Your address?"));
      // What was not saved is saved first, as the next version.
      await page.getByRole("button", { name: "Publish…" }).click();
      const dialog = page.getByRole("dialog", { name: "Publish version 2 of Otto?" });
      await dialog.getByText("slots › email › ask").waitFor();
      await dialog.getByText(`"Your address?"`).waitFor();
      await dialog.getByLabel("What has changed").fill("Shorter");
      await dialog.getByRole("button", { name: "Publish", exact: true }).click();
      await expect.poll(async () => (await agentOf(id)).published_version).toBe(2);
      await page.getByRole("button", { name: "Versions" }).click();
      await page.getByRole("button", { name: /^v2 Shorter/ }).waitFor();
      await settled(page);
      await expectAccessible(page);
      await page.getByRole("button", { name: /^v1/ }).click();
      await page.getByRole("button", { name: "Roll back to it…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Roll back to version 1" }).click();
      await expect.poll(async () => (await agentOf(id)).published_version).toBe(1);
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Pause" }).click();
      await expect.poll(async () => (await agentOf(id)).status).toBe("paused");
    });

    test("what is written is kept from tab to tab, and a reader changes nothing", async () => {
      const account = await harbour();
      const { body: agent } = await call("POST", "/v1/agents", { account_id: account, name: "Rita" });
      const page = await portal.open(`/crm/${account}/agents/${agent.id}`, { viewport: PHONE });
      await text(page).fill(`{"engine": "playbook",\n "playbook": }`);
      await page.getByRole("alert").getByText("A value is missing here.").waitFor();
      await page.getByRole("button", { name: "Sessions" }).click();
      await page.getByText("Rita has talked with nobody yet").waitFor();
      await page.getByRole("button", { name: "Editor" }).click();
      await expect.poll(() => text(page).inputValue()).toContain(`"playbook": }`);
      await settled(page);
      await expectAccessible(page);
      await expectFits(page);

      const reader = await portal.open(`/crm/${account}/agents/${agent.id}`, { as: "reader" });
      await text(reader).waitFor();
      expect(await text(reader).getAttribute("readonly")).not.toBeNull();
      for (const act of ["Save draft", "Publish…", "Settings"])
        expect(await reader.getByRole("button", { name: act, exact: true }).count(), act).toBe(0);
    });

    test("a conversation becomes a test, red where the agent differs from it, and publishing waits for green", async () => {
      portal.allow(/409/);
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/agents`);
      const id = await create(page, "Tess");
      await page.getByRole("button", { name: "Tests" }).click();
      await page.getByRole("button", { name: "Try it in the sandbox" }).click();
      await say(page, "human");
      await page.getByRole("log", { name: "What was said" }).getByText("A person takes over").waitFor();
      await page.getByRole("button", { name: "Expect what happened" }).click();
      await page.getByRole("button", { name: "Save as a test…" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Hands over when asked to");
      await page.getByRole("button", { name: "Save test" }).click();
      await page.getByText("is a test now").first().waitFor();
      await page.getByRole("button", { name: "Tests" }).click();
      await page.getByRole("button", { name: "Run on draft 1" }).click();
      await page.getByText("1 of 1 test pass on version 1").waitFor();
      await settled(page);
      await expectAccessible(page);

      const request = { messages: [{ text: "Hi" }], assert: [{ type: "text_matches", phrase: "good evening" }] };
      await call("POST", `/v1/agents/${id}/tests`, { name: "Greets in the evening", request });
      await page.reload();
      await page.getByRole("button", { name: "Publish…" }).click();
      const dialog = page.getByRole("dialog", { name: "Publish version 1 of Tess?" });
      await dialog.getByRole("button", { name: "Publish", exact: true }).click();
      await dialog.getByRole("alert").waitFor();
      expect((await agentOf(id)).published_version).toBeNull();
      await dialog.getByLabel("Only if all tests pass").uncheck();
      await dialog.getByRole("button", { name: "Publish", exact: true }).click();
      await expect.poll(async () => (await agentOf(id)).published_version).toBe(1);
    });

    test("a source of knowledge is added, found by a question, and deleted", async () => {
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/knowledge`);
      await page.getByRole("button", { name: "Add a source" }).first().click();
      const form = page.getByRole("complementary", { name: "Add a source" });
      await form.getByLabel("Name").fill("Opening hours");
      await form.getByLabel("Text", { exact: true }).last().fill("We are open on the first Saturday of the month.");
      await form.getByRole("button", { name: "Add source" }).click();
      const panel = page.getByRole("complementary", { name: "Opening hours" });
      await panel.getByText("opening-hours", { exact: true }).waitFor();
      await page.getByRole("searchbox", { name: "Try a question" }).fill("saturdays");
      await page
        .getByRole("list", { name: "What would be found" })
        .getByRole("button", { name: /^Opening hours/ })
        .waitFor();
      await settled(page);
      await expectAccessible(page);
      await panel.getByRole("button", { name: "Delete…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("Opening hours is deleted").first().waitFor();
      await row(page, "opening-hours").waitFor({ state: "detached" });
    });
  },
  { SEED: "demo", EGRESS: "development" },
);
