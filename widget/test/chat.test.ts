import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { inShop, PHONE } from "./support.ts";

/** What somebody might write to run something in the browser of whoever reads it. */
const XSS = [
  `<script>window.hit = 1</script>`,
  `<img src=x onerror="window.hit = 2">`,
  `<svg onload=window.hit=3>`,
  `"><iframe srcdoc="<script>parent.hit = 4</script>"></iframe>`,
  `<a href="javascript:window.hit = 5">x</a>`,
  `</p></div><style>*{display:none}</style>`,
  `<template><img src=x onerror=window.hit=6></template>`,
  `&lt;img src=x onerror=window.hit=7&gt; &#60;script&#62;`,
  "{{constructor.constructor('window.hit = 9')()}}",
  `<math><mtext><table><mglyph><style><img src=x onerror=window.hit=10>`,
  "\u202eevil\u202c \u2028 line",
];

const panel = (page: Page) => page.getByRole("dialog", { name: "Harbour Bikes" });
const log = (page: Page) => panel(page).getByRole("log", { name: "Messages" });
const entry = (page: Page, text: string) => log(page).getByText(text, { exact: true });
const launcher = (page: Page) => page.getByRole("button", { name: /^Open chat/ });

async function openPanel(page: Page): Promise<void> {
  await launcher(page).click();
  await panel(page).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await panel(page).getByRole("textbox", { name: "Message" }).fill(text);
  await panel(page).getByRole("button", { name: "Send" }).click();
}

/** The texts of the log without the names that only screen readers say. */
const shown = (page: Page) =>
  log(page)
    .locator("p")
    .evaluateAll((all) => all.map((one) => one.lastChild?.textContent ?? ""));

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual([]);
}

inShop("the chat on a page", (stage) => {
  test("a visitor writes, is answered live, and finds the thread again after a reload", async () => {
    const channel = await stage.newChat({ greeting: "How can we help?" });
    const page = await stage.open(channel);
    await openPanel(page);
    await log(page).getByText("How can we help?").waitFor();
    await say(page, "Do you repair old bikes?");
    await expect
      .poll(() => stage.call("GET", `/v1/conversations?channel_id=${channel.id}`).then(({ body }) => body.data.length))
      .toBe(1);
    await stage.reply(channel, "Any of them.");
    await entry(page, "Any of them.").waitFor();
    expect(await shown(page)).toEqual(["How can we help?", "Do you repair old bikes?", "Any of them."]);
    await page.reload();
    await stage.reply(channel, "Come by on Friday.");
    await page.getByRole("button", { name: "Open chat, 1 new message", exact: true }).click();
    await entry(page, "Come by on Friday.").waitFor();
    expect(await shown(page)).toEqual(["How can we help?", "Do you repair old bikes?", "Any of them.", "Come by on Friday."]);
    const statuses = async () => {
      const { body } = await stage.call("GET", `/v1/conversations?channel_id=${channel.id}`);
      const messages = await stage.call("GET", `/v1/conversations/${body.data[0].id}/messages?kind=text`);
      return messages.body.data.map(({ status }: { status: string }) => status);
    };
    await expect.poll(statuses).toEqual(["read", "read", "received"]);
    expect(stage.faults()).toEqual([]);
  });

  test("the service is killed in the middle: what is written meanwhile is sent once it is back, nothing is lost or doubled", async () => {
    const channel = await stage.newChat();
    const page = await stage.open(channel);
    await openPanel(page);
    await say(page, "One");
    await expect.poll(() => stage.thread(channel).catch(() => [])).toEqual(["in: One"]);
    await stage.kill();
    await say(page, "Two");
    await say(page, "Three");
    await log(page).getByText("Sending …").waitFor();
    await stage.restart();
    await page.reload();
    await openPanel(page);
    await expect.poll(() => stage.thread(channel)).toEqual(["in: One", "in: Two", "in: Three"]);
    await stage.reply(channel, "Four");
    await entry(page, "Four").waitFor();
    expect(await shown(page)).toEqual(["One", "Two", "Three", "Four"]);

    await stage.kill();
    await say(page, "Five");
    await stage.restart();
    await stage.reply(channel, "Six");
    await entry(page, "Six").waitFor();
    await expect
      .poll(async () => (await stage.thread(channel)).toSorted())
      .toEqual(["in: Five", "in: One", "in: Three", "in: Two", "out: Four", "out: Six"].toSorted());
    await expect.poll(async () => (await shown(page)).toSorted()).toEqual(["Five", "Four", "One", "Six", "Three", "Two"]);
  });

  test("whatever anybody writes is text", async () => {
    const channel = await stage.newChat({ greeting: XSS[1], title: "Harbour Bikes" });
    const page = await stage.open(channel);
    await openPanel(page);
    for (const text of XSS) await say(page, text);
    await expect.poll(() => stage.thread(channel).catch(() => [])).toHaveLength(XSS.length);
    for (const text of XSS) await stage.reply(channel, text);
    await expect.poll(async () => (await shown(page)).length).toBe(1 + 2 * XSS.length);
    expect(await shown(page)).toEqual([XSS[1], ...XSS, ...XSS]);
    expect(await log(page).locator("script, img, svg, iframe, a, style, template, math").count()).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
    expect(stage.faults()).toEqual([]);
  });

  test("a page that is not listed gets no chat, and a forged token no thread", async () => {
    const closed = await stage.newChat({ origins: ["https://elsewhere.example"] });
    const refused = await stage.open(closed);
    await expect.poll(() => stage.faults().join()).toMatch(/403|CORS/);
    expect(await launcher(refused).count()).toBe(0);

    const channel = await stage.newChat();
    const page = await stage.open(channel);
    await openPanel(page);
    await say(page, "Mine");
    await expect.poll(() => stage.thread(channel).catch(() => [])).toEqual(["in: Mine"]);
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage).filter((one) => one.endsWith(".token")))
        localStorage.setItem(
          key,
          `${localStorage.getItem(key)?.slice(0, -1)}${localStorage.getItem(key)?.endsWith("A") ? "B" : "A"}`,
        );
    });
    await page.reload();
    await openPanel(page);
    await say(page, "Somebody else");
    await entry(page, "Somebody else").waitFor();
    expect(await shown(page)).toEqual(["Somebody else"]);
  });

  test("a stranger who has written may say who it is, once, and need not", async () => {
    const channel = await stage.newChat();
    const leadOf = async () => {
      const { body } = await stage.call("GET", `/v1/conversations?channel_id=${channel.id}`);
      return (await stage.call("GET", `/v1/leads/${body.data[0].lead_id}`)).body;
    };
    const page = await stage.open(channel);
    await openPanel(page);
    const question = panel(page).getByRole("form", { name: /^Would you like/ });
    expect(await question.isVisible()).toBe(false);
    await say(page, "Do you have a blue one?");
    await question.waitFor();
    await question.getByRole("textbox", { name: "Name" }).fill("Ida Fern");
    await question.getByRole("textbox", { name: "E-mail" }).fill("ida");
    await question.getByRole("button", { name: "Save" }).click();
    await panel(page).getByText("Please check the e-mail address.").waitFor();
    await expectAccessible(page);
    await question.getByRole("textbox", { name: "E-mail" }).fill("ida@fern.example");
    await question.getByRole("button", { name: "Save" }).click();
    await panel(page).getByText("Thank you.").waitFor();
    expect(await question.isVisible()).toBe(false);
    expect(await leadOf()).toMatchObject({ name: "Ida Fern", email: "ida@fern.example" });
    await page.reload();
    await openPanel(page);
    await entry(page, "Do you have a blue one?").waitFor();
    expect(await question.isVisible()).toBe(false);

    const shy = await stage.open(channel);
    await openPanel(shy);
    await say(shy, "Just looking");
    await panel(shy).getByRole("button", { name: "No, thanks" }).click();
    await panel(shy)
      .getByRole("form", { name: /^Would you like/ })
      .waitFor({ state: "hidden" });
    expect(await leadOf()).toMatchObject({ name: "Website visitor", email: null });
  });

  test("outside of the channel's hours it says when the team is back, and takes messages", async () => {
    const channel = await stage.newChat();
    // One minute a week, so that nobody is there.
    const hours = { [new Date().getUTCDay() === 1 ? "thu" : "mon"]: [{ from: "09:00", to: "09:01" }] };
    expect((await stage.call("PATCH", `/v1/channels/${channel.id}`, { hours, timezone: "UTC" })).status).toBe(200);
    const page = await stage.open(channel);
    await openPanel(page);
    await panel(page)
      .getByText(/^We are away, and back on (Monday|Thursday) .*at \d\d:\d\d\. Leave a message until then\.$/)
      .waitFor();
    await say(page, "Then on Monday");
    await entry(page, "Then on Monday").waitFor();
    await expectAccessible(page);
    expect((await stage.call("PATCH", `/v1/channels/${channel.id}`, { hours: null })).status).toBe(200);
    await page.reload();
    await openPanel(page);
    await panel(page).getByText("We are away").waitFor({ state: "detached" });
  });

  test("it can be used by keyboard and heard by a screen reader", async () => {
    const channel = await stage.newChat({ color: "#ffd23f" });
    const page = await stage.open(channel);
    await launcher(page).focus();
    await page.keyboard.press("Enter");
    const input = panel(page).getByRole("textbox", { name: "Message" });
    await expect.poll(() => input.evaluate((one) => one === (one.getRootNode() as ShadowRoot).activeElement)).toBe(true);
    await page.keyboard.type("Good morning");
    await page.keyboard.press("Enter");
    await entry(page, "Good morning").waitFor();
    await expect.poll(() => stage.thread(channel).catch(() => [])).toEqual(["in: Good morning"]);
    await stage.reply(channel, "Good morning to you");
    await log(page).getByText("Harbour Bikes: Good morning to you").waitFor();
    await panel(page).getByRole("heading", { name: "Harbour Bikes" }).waitFor();
    expect(await log(page).getByRole("paragraph").allTextContents()).toEqual([
      "You: Good morning",
      "Harbour Bikes: Good morning to you",
    ]);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "hidden" });
    await expect.poll(() => launcher(page).evaluate((one) => one === (one.getRootNode() as ShadowRoot).activeElement)).toBe(true);
  });

  test("on a phone it fills the screen, and everything can be touched", async () => {
    const channel = await stage.newChat({ position: "left" });
    const page = await stage.open(channel, { viewport: PHONE, hasTouch: true });
    await launcher(page).tap();
    await expect.poll(() => panel(page).boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
    await say(page, `A word without an end: ${"x".repeat(300)}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await log(page).evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    for (const name of ["Close chat", "Send"]) {
      const box = await panel(page).getByRole("button", { name }).boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
    }
  });
});
