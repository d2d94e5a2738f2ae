import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, inBrowser } from "../support.ts";

const STEP_MS = 30_000;

/** The code of a step, as an authenticator app computes it (RFC 6238). */
function codeOf(secret: string, step: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
const stepNow = () => Math.floor(Date.now() / STEP_MS);

inBrowser("you", (portal) => {
  async function signIn(): Promise<Page> {
    const page = await portal.open("/settings/you", { as: null });
    const { email, password } = portal.first().owner;
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    return page;
  }

  test("everybody changes the own name", async () => {
    const page = await portal.open("/settings/you", { as: "reader" });
    await page.getByRole("textbox", { name: "Name" }).fill("Rea Doran-Holt");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your name is saved").waitFor();
    await page.getByRole("button", { name: /Rea Doran-Holt/ }).waitFor();
  });

  test("another session is named by its browser, and ended", async () => {
    portal.allow(/401/);
    const other = await signIn();
    await other.getByRole("heading", { level: 1, name: "You" }).waitFor();
    const page = await portal.open("/settings/you");
    await page.getByText("this one").waitFor();
    await expectAccessible(page);
    const end = page.getByRole("button", { name: /^End the session in Chrome on/ });
    expect(await end.count()).toBe(1);
    await end.click();
    await page.getByText(/has ended$/).waitFor();
    await expect.poll(() => end.count()).toBe(0);
    await other.reload();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("two-step sign-in is set up, asks for its code at sign-in, and a recovery code stands in for it once", async () => {
    portal.allow(/401/);
    const page = await portal.open("/settings/you");
    await page.getByRole("button", { name: "Set up" }).click();
    const setUp = page.getByRole("dialog", { name: "Set up two-step sign-in" });
    await setUp.getByRole("img", { name: /^QR code/ }).waitFor();
    await expectAccessible(page);
    const secret = (await setUp.getByRole("region", { name: "Secret" }).textContent()) ?? "";
    await setUp.getByLabel("Code", { exact: true }).fill(codeOf(secret, stepNow()));
    const used = stepNow();
    await setUp.getByRole("button", { name: "Turn on" }).click();
    const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
    await dialog.getByRole("listitem").first().waitFor();
    const codes = await dialog.getByRole("listitem").allTextContents();
    expect(codes).toHaveLength(10);
    await dialog.getByRole("button", { name: "I have stored them" }).click();
    await page.getByRole("button", { name: "Turn off…" }).waitFor();

    const byApp = await signIn();
    await byApp.getByLabel("Code").fill(codeOf(secret, Math.max(used + 1, stepNow())));
    await byApp.getByRole("button", { name: "Sign in" }).click();
    await byApp.getByRole("heading", { level: 1, name: "You" }).waitFor();

    const byPaper = await signIn();
    await byPaper.getByLabel("Code").fill(codes[0] ?? "");
    await byPaper.getByRole("button", { name: "Sign in" }).click();
    await byPaper.getByRole("heading", { level: 1, name: "You" }).waitFor();
    const again = await signIn();
    await again.getByLabel("Code").fill(codes[0] ?? "");
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.getByRole("alert").waitFor();

    await page.getByRole("button", { name: "Turn off…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off", exact: true }).click();
    await page.getByRole("button", { name: "Set up" }).waitFor();
    await (await signIn()).getByRole("heading", { level: 1, name: "You" }).waitFor();
  });

  test("a new password has to keep the rules, and the appearance is remembered", async () => {
    portal.allow(/4(01|22)/);
    const page = await portal.open("/settings/you");
    await page.getByLabel("Current password").fill(portal.first().owner.password);
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("A password has at least 10 characters.").waitFor();
    await page.getByText("Dark", { exact: true }).click();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "You" }).waitFor();
    expect(await page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("dark");
    await expectAccessible(page);
  });
});
