import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { signatureHeaders } from "../../../server/src/platform/crypto/webhook-signature.ts";
import { DOT, XSS } from "../hostile-mail.ts";
import { expectAccessible, expectFits, inBrowser, PHONE, row, settled } from "../support.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

inBrowser(
  "the inbox",
  (portal) => {
    const { call } = portal;
    const harbour = async () => (await call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
    const channelOf = async (account: string) => (await call("GET", `/v1/channels?account_id=${account}`)).body.data[0];
    const thread = (page: Page, name: string) => page.getByRole("region", { name: `Conversation with ${name}` });
    const conversationOf = async (id: string) => (await call("GET", `/v1/conversations/${id}`)).body;
    const messagesOf = async (id: string) => (await call("GET", `/v1/conversations/${id}/messages`)).body.data;

    let numbers = 0;
    /** Somebody writes from a phone of the simulator. */
    async function written(name: string, text: string, from = `+1202555${String(1_000 + numbers++)}`) {
      const account = await harbour();
      const { hook_path } = await channelOf(account);
      const reply = await fetch(`${portal.base_url()}/simulator/${hook_path.split("/").at(-1)}/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ from, text, name }),
      });
      expect(reply.status, await reply.text()).toBe(201);
      const { body } = await call("GET", `/v1/conversations?account_id=${account}&limit=100`);
      const id = body.data.find(({ address }: { address: string }) => address === from).id as string;
      return { account, id, from };
    }

    /** Somebody writes by a program, as a mail server would hand it over. The conversation of it. */
    async function mailed(account: string, html: string): Promise<string> {
      const config = { url: "https://mail.harbour.example/out" };
      const channel = { account_id: account, kind: "api", name: "Mail server", config, secrets: { secret: SECRET } };
      const { hook_path } = (await call("POST", "/v1/channels", channel)).body;
      const item = { type: "message", id: "m-1", from: "ulla@mail.example", name: "Ulla Mail", email: "ulla@mail.example" };
      const body = Buffer.from(JSON.stringify({ ...item, subject: "An offer", text: "Offer", html }));
      const at_seconds = Math.floor(Date.now() / 1000);
      const signed = signatureHeaders({ brand: "Tributary", event_id: "m-1", secrets: [SECRET], body, at_seconds });
      const headers = { "content-type": "application/json", ...signed };
      const reply = await fetch(portal.base_url() + hook_path, { method: "POST", headers, body });
      expect(reply.status, await reply.text()).toBe(200);
      return (await call("GET", `/v1/conversations?account_id=${account}`)).body.data[0].id;
    }

    test("what somebody writes appears by itself, is answered, and what becomes of the answer is seen", async () => {
      const page = await portal.open(`/crm/${await harbour()}/inbox`);
      await row(page, "Diego Dubois").waitFor();
      const { id, from } = await written("Ida Fern", "Do you open on Sunday?");
      await row(page, "Do you open on Sunday?").click();
      const open = thread(page, "Ida Fern");
      await open.getByText("Nobody answers here yet").waitFor();
      await expect.poll(async () => (await conversationOf(id)).unread).toBe(0);
      await open.getByRole("textbox", { name: "Reply" }).fill("Sorry, Monday at nine.");
      await page.keyboard.press("Control+Enter");
      await open.getByText("You answer here.").waitFor();
      await open.getByRole("img", { name: "delivered" }).waitFor();
      await settled(page);
      await expectAccessible(page);
      await written("Ida Fern", "Then Monday.", from);
      await open.getByText("Then Monday.").waitFor();
      await open.getByRole("button", { name: "Close conversation" }).click();
      await page.getByText("is closed").first().waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await expect.poll(async () => (await conversationOf(id)).status).toBe("open");
    });

    test("the address of a conversation opens it between the list and the person, as wide as the window is", async () => {
      const account = await harbour();
      const { body } = await call("GET", `/v1/conversations?account_id=${account}&limit=100`);
      const { id, contact_id } = body.data.find(({ person_name }: { person_name: string }) => person_name === "Amara Abebe");
      await call("PUT", `/v1/contacts/${contact_id}/consent`, { sms: { status: "granted" }, email: { status: "denied" } });
      const page = await portal.open(`/crm/${account}/inbox/${id}`);
      const person = page.getByRole("complementary", { name: "About Amara Abebe" });
      for (const text of ["SMS", "Declined", "Payments", "Channel"])
        await person.getByText(text, { exact: true }).first().waitFor();
      await thread(page, "Amara Abebe").getByRole("textbox", { name: "Reply" }).waitFor();
      await row(page, "Elif Eriksen").waitFor();
      await settled(page);
      await expectAccessible(page);
      const parts = [row(page, "Elif Eriksen"), thread(page, "Amara Abebe"), person];
      const shown = () => Promise.all(parts.map((part) => part.isVisible()));
      for (const [width, wanted] of [
        [1280, [true, true, true]],
        [1100, [true, true, false]],
        [390, [false, true, false]],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(shown).toEqual(wanted);
        await expectFits(page);
      }
    });

    test("the navigation says how many wait, and counts along", async () => {
      const account = await harbour();
      const waiting = async () => (await call("GET", `/v1/conversations/waiting?account_id=${account}`)).body.waiting as number;
      const before = await waiting();
      const page = await portal.open(`/crm/${account}/contacts`);
      const inbox = page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Inbox" });
      const shown = () => inbox.locator("i").textContent();
      await expect.poll(shown).toBe(String(before));
      expect(await inbox.getAttribute("aria-description")).toBe(`${before} conversations wait`);
      const { id } = await written("Uma Weit", "Is anybody there?");
      await expect.poll(shown).toBe(String(before + 1));
      await settled(page);
      await expectAccessible(page);
      await call("POST", `/v1/conversations/${id}/close`);
      await expect.poll(shown).toBe(String(before));
    });

    test("the hours of a channel are set, refused at their day, and taken away", async () => {
      const account = await harbour();
      const config = { url: "https://hours.harbour.example/out" };
      const body = { account_id: account, kind: "api", name: "Hours", config, secrets: { secret: SECRET } };
      const { id } = (await call("POST", "/v1/channels", body)).body;
      const hoursOf = async () => (await call("GET", `/v1/channels/${id}`)).body.hours;
      portal.allow(/422/);
      const page = await portal.open(`/crm/${account}/channels?open=${id}`);
      const edit = page.getByRole("complementary", { name: "Hours" });
      await edit.getByRole("checkbox", { name: /at certain hours only/ }).click();
      await edit.getByRole("textbox", { name: "Saturday" }).fill("12-9");
      await edit.getByRole("button", { name: "Save" }).click();
      await edit.getByText("The period from 12:00 to 09:00 ends before it begins.").waitFor();
      await expectAccessible(page);
      await edit.getByRole("textbox", { name: "Saturday" }).fill("9-12, 13-14:30");
      await edit.getByRole("button", { name: "Save" }).click();
      await expect
        .poll(async () => (await hoursOf())?.sat)
        .toEqual([
          { from: "09:00", to: "12:00" },
          { from: "13:00", to: "14:30" },
        ]);
      await edit.waitFor({ state: "detached" });
      await row(page, /^Hours/).press("Enter");
      await edit.getByRole("checkbox", { name: /at certain hours only/ }).click();
      await edit.getByRole("button", { name: "Save" }).click();
      await expect.poll(hoursOf).toBeNull();
      await call("DELETE", `/v1/channels/${id}`);
    });

    test("nobody answers over somebody else: the text stays, and is sent once it was read again", async () => {
      portal.allow(/409/);
      const { account, id } = await written("Olof Birk", "Is my order there?");
      const page = await portal.open(`/crm/${account}/inbox/${id}`);
      const open = thread(page, "Olof Birk");
      await open.getByRole("textbox", { name: "Reply" }).fill("It is.");
      // The page learns of the new owner later than it sends.
      await page.route(/\/v1\/conversations\/cnv_[^/]+$/, (route) => route.abort());
      portal.allow(/ERR_FAILED/);
      await call("POST", `/v1/conversations/${id}/takeover`);
      await open.getByRole("button", { name: /^Send/ }).last().click();
      await open.getByText("Somebody else answers here now").waitFor();
      expect(await open.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("It is.");
      expect((await messagesOf(id)).some(({ text }: { text: string }) => text === "It is.")).toBe(false);
      await page.unroute(/\/v1\/conversations\/cnv_[^/]+$/);
      await page.reload();
      await open.getByRole("button", { name: "Take over" }).click();
      await open.getByText("You answer here.").waitFor();
      await open.getByRole("textbox", { name: "Reply" }).fill("It is there.");
      await open.getByRole("button", { name: /^Send/ }).last().click();
      await expect
        .poll(async () => (await messagesOf(id)).filter(({ text }: { text: string }) => text === "It is there.").length)
        .toBe(1);
    });

    test("a template, a note, a later time, tags and a snooze", async () => {
      const { account, id } = await written("Wilma Ost", "When is my appointment?");
      const page = await portal.open(`/crm/${account}/inbox?open=${id}`);
      const open = thread(page, "Wilma Ost");
      await open.getByRole("button", { name: "Template" }).click();
      await page.getByRole("menuitem", { name: "Appointment reminder" }).click();
      await open.getByText(/Hello Wilma Ost, we look forward/).waitFor();
      await open.getByRole("button", { name: "Send later" }).click();
      await page.getByRole("menuitem", { name: /Tomorrow morning/ }).click();
      await open.getByText(/goes out/).waitFor();
      await open.getByRole("button", { name: "Recall" }).click();
      await open.getByText("recalled").waitFor();
      await open.getByRole("button", { name: "Note" }).click();
      await open.getByRole("textbox", { name: "Note" }).fill("Prefers mornings.");
      await open.getByRole("button", { name: /^Add note/ }).click();
      await open.getByText("Note by you").waitFor();
      const side = page.getByRole("complementary", { name: "About Wilma Ost" });
      await side.getByRole("combobox", { name: "Tags of the conversation" }).fill("recall");
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await conversationOf(id)).tags).toEqual(["recall"]);
      await open.getByRole("button", { name: "Snooze" }).click();
      await page.getByRole("menuitem", { name: /Tomorrow morning/ }).click();
      await page.getByText(/Snoozed until/).waitFor();
      await row(page, "Wilma Ost").waitFor({ state: "detached" });
      expect(await conversationOf(id)).toMatchObject({ status: "snoozed" });
      expect((await messagesOf(id)).map(({ kind }: { kind: string }) => kind)).toEqual(["event", "note", "text", "text"]);
    });

    test("views and filters are the address, the keyboard moves, and a reader changes nothing", async () => {
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/inbox`);
      await page.getByRole("button", { name: "All", exact: true }).click();
      await row(page, "Bruno Bergström").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("saturdays");
      await page.waitForURL(/q=saturdays/);
      await row(page, "Diego Dubois").waitFor({ state: "detached" });
      await row(page, "Bruno Bergström").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      await page.locator('[role=row][data-index="0"]:focus').waitFor();
      await page.keyboard.press("Enter");
      await thread(page, "Bruno Bergström").getByText("closed it").waitFor();
      await page.getByRole("button", { name: "Save this view" }).click();
      await page.getByLabel("Name of the view").fill("About Saturdays");
      await page.getByRole("button", { name: "Save view" }).click();
      await page.getByRole("button", { name: "About Saturdays", exact: true, pressed: true }).waitFor();
      await page.getByRole("button", { name: "Waiting", exact: true }).click();
      await page.waitForURL(/view=waiting/);

      const reader = await portal.open(`/crm/${account}/inbox?view=all&q=saturdays`, { as: "reader" });
      await row(reader, "Bruno Bergström").click();
      await thread(reader, "Bruno Bergström").getByText("Thank you!").waitFor();
      expect(await reader.getByRole("textbox", { name: "Reply" }).count()).toBe(0);
      expect(await reader.getByRole("button", { name: "New message" }).count()).toBe(0);
    });

    test("on a phone the thread covers the list, and the way back keeps the view", async () => {
      const page = await portal.open(`/crm/${await harbour()}/inbox?view=all`, { viewport: PHONE });
      await row(page, "Amara Abebe").click();
      await page.getByRole("heading", { level: 1, name: "Amara Abebe" }).waitFor();
      await page.getByText("I have put her down.").last().waitFor();
      expect(await row(page, "Diego Dubois").isVisible()).toBe(false);
      await expectFits(page);
      await settled(page);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Back to Inbox" }).click();
      await row(page, "Diego Dubois").waitFor();
      expect(page.url()).toContain("view=all");
    });

    test("a channel is made, refused at its fields, tested, paused, and its phone writes to the inbox", async () => {
      portal.allow(/4(09|22)/);
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/channels?new=yes`);
      const form = page.getByRole("complementary", { name: "New channel" });
      await form.getByLabel("Name").fill("Text messages");
      await form.getByRole("button", { name: "Create channel" }).click();
      await form.getByText(/Another channel has the name/).waitFor();
      await form.getByLabel("Name").fill("Second line");
      await form.getByRole("button", { name: "Create channel" }).click();
      const panel = page.getByRole("complementary", { name: "Second line" });
      await panel.getByText(/\/hooks\/[0-9A-Za-z]{13}/).waitFor();
      await panel.getByRole("button", { name: "Ask the provider" }).click();
      await panel.getByText("accepted").waitFor();
      await expectAccessible(page);
      await panel.getByRole("button", { name: "Pause" }).click();
      await panel.getByText("Nothing is sent, what is to be sent waits").waitFor();
      await panel.getByRole("button", { name: "Resume" }).click();
      await panel.getByRole("button", { name: "Pause" }).waitFor();
      await panel.getByRole("link", { name: "Open the phone" }).click();
      const phone = page.getByRole("region", { name: /^Phone / });
      await phone.getByRole("textbox", { name: "Message" }).fill("Anybody there?");
      await page.keyboard.press("Enter");
      await phone.getByRole("log").getByText("Anybody there?").waitFor();
      await settled(page);
      await expectAccessible(page);
      await page.getByRole("link", { name: "inbox", exact: true }).click();
      await row(page, "Anybody there?").click();
      await page.getByRole("textbox", { name: "Reply" }).fill("We are.");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("img", { name: "delivered" }).waitFor();
      await page.goBack();
      await page.getByRole("textbox", { name: "Reply" }).waitFor({ state: "detached" });
      await page.goBack();
      await page.getByRole("log").getByText("We are.").waitFor();
    });

    test("a web chat says which pages it is refused for, is put on pages by a line, and writes to the inbox", async () => {
      portal.allow(/422/);
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/channels?new=yes`, { permissions: ["clipboard-read", "clipboard-write"] });
      const form = page.getByRole("complementary", { name: "New channel" });
      await choose(page, form.getByRole("combobox", { name: "Kind" }), "Web chat");
      await form.getByLabel("Name").fill("Shop chat");
      await form.getByLabel("Title").fill("Harbour Desk");
      await form.getByLabel("Pages that may show it").fill("shop.example");
      await form.getByRole("button", { name: "Create channel" }).click();
      await form.getByLabel("Pages that may show it").and(page.locator("[aria-invalid=true]")).waitFor();
      await form.getByLabel("Pages that may show it").fill("https://Shop.example/cart\nhttps://www.shop.example");
      await form.getByRole("button", { name: "Create channel" }).click();
      const panel = page.getByRole("complementary", { name: "Shop chat" });
      await panel.getByText("It is shown on https://shop.example, https://www.shop.example.").waitFor();
      await panel.getByRole("button", { name: "Copy the script line" }).click();
      const { body } = await call("GET", `/v1/channels?account_id=${account}&kind=webchat`);
      const token = body.data[0].hook_path.split("/").at(-1);
      const line = `<script async src="${portal.base_url()}/chat/widget.js" data-channel="${token}"></script>`;
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(line);
      await settled(page);
      await expectAccessible(page);
      const opened = page.waitForEvent("popup");
      await panel.getByRole("link", { name: "Try it on a page of ours" }).click();
      const shop = await opened;
      await shop.getByRole("button", { name: "Open chat" }).click();
      await shop.getByRole("textbox", { name: "Message" }).fill("Is the blue one there?");
      await shop.keyboard.press("Enter");
      await page.goto(`${portal.base_url()}/portal/crm/${account}/inbox`);
      await row(page, "Is the blue one there?").click();
      await thread(page, "Website visitor").getByRole("textbox", { name: "Reply" }).fill("It is.");
      await page.keyboard.press("Control+Enter");
      await shop.getByRole("log").getByText("It is.").waitFor();
      await shop.getByRole("textbox", { name: "Name" }).fill("Ida Blue");
      await shop.getByRole("button", { name: "Save" }).click();
      await thread(page, "Ida Blue").getByRole("img", { name: "read" }).waitFor();
    });

    test("an e-mail channel asks for its servers, and says what they answer", async () => {
      portal.allow(/422/);
      const account = await harbour();
      const page = await portal.open(`/crm/${account}/channels?new=yes`);
      const form = page.getByRole("complementary", { name: "New channel" });
      await choose(page, form.getByRole("combobox", { name: "Kind" }), "Email");
      const [sending, receiving] = ["Sending, by SMTP", /^Receiving, by IMAP/].map((name) => form.getByRole("group", { name }));
      await form.getByLabel("Name", { exact: true }).fill("Support mail");
      await form.getByRole("button", { name: "Create channel" }).click();
      await sending?.getByLabel("Server").and(page.locator("[aria-invalid=true]")).waitFor();
      await form.getByLabel("Address", { exact: true }).fill("support@harbour.example");
      await sending?.getByLabel("Server").fill("127.0.0.1");
      await sending?.getByLabel("Port").fill("1");
      await sending?.getByLabel("User").fill("support@harbour.example");
      await sending?.getByRole("textbox", { name: "Password" }).fill("not-a-password");
      await receiving?.getByLabel("Server").fill("127.0.0.1");
      await form.getByRole("button", { name: "Create channel" }).click();
      const panel = page.getByRole("complementary", { name: "Support mail" });
      await panel.getByText("Read from INBOX at 127.0.0.1").waitFor();
      await panel.getByRole("button", { name: "Ask the provider" }).click();
      await panel.getByText("refused", { exact: true }).waitFor();
      await settled(page);
      await expectAccessible(page);
      await panel
        .getByRole("group", { name: /^Receiving/ })
        .getByLabel("Server")
        .fill("");
      await panel.getByRole("button", { name: "Save" }).click();
      await expect
        .poll(async () => (await call("GET", `/v1/channels?account_id=${account}&kind=email`)).body.data[0].config)
        .toEqual({
          from: "support@harbour.example",
          smtp: { host: "127.0.0.1", port: 1, user: "support@harbour.example" },
        });
    });

    test("a mail is shown as it was written, runs nothing, and loads its image when it is asked to", async () => {
      const account = await harbour();
      const asked: string[] = [];
      const sender = createServer((request, reply) => {
        asked.push(String(request.url));
        reply.writeHead(200, { "content-type": "image/gif" }).end(DOT);
      }).listen(0, "127.0.0.1");
      await once(sender, "listening");
      const remote = `http://127.0.0.1:${(sender.address() as AddressInfo).port}/dot.gif`;
      const html = `<h1>Offer</h1><p>See <a href="https://shop.example/x">the shop</a> <a href="javascript:window.hit=1">here</a></p>
        <table><tr><td>Blue</td><td>Red</td></tr></table><img src="${remote}" alt="A dot" onerror="window.hit=2">${XSS.join("")}`;
      const id = await mailed(account, html);
      const page = await portal.open(`/crm/${account}/inbox/${id}`);
      const open = thread(page, "Ulla Mail");
      await open.getByRole("link", { name: "the shop" }).waitFor();
      const dangerous = "script, style, svg, math, iframe, object, embed, form, input, template, link, meta, [onclick], [style]";
      expect(await open.locator("[data-mail]").locator(dangerous).count()).toBe(0);
      expect(await open.getByRole("link", { name: "here" }).count()).toBe(0);
      expect(await open.getByRole("heading", { name: "Offer" }).count()).toBe(0);
      expect(asked).toEqual([]);
      await open.getByRole("button", { name: "Show the image" }).click();
      const image = open.getByRole("img", { name: "A dot" });
      await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1);
      expect(asked).toEqual(["/dot.gif"]);
      expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
      await settled(page);
      await expectAccessible(page);
      sender.close();
      const { contact_id, lead_id } = await conversationOf(id);
      await page.goto(`${portal.base_url()}/portal/crm/${account}/${contact_id ? `contacts/${contact_id}` : `leads/${lead_id}`}`);
      const moment = page.getByRole("listitem").filter({ hasText: "Ulla Mail wrote by a program" });
      await moment.getByRole("link", { name: "An offer" }).click();
      await open.getByRole("link", { name: "the shop" }).waitFor();
    });
  },
  // The image of a mail, and servers that do not answer, are on this machine.
  { SEED: "demo", EGRESS: "development" },
);
