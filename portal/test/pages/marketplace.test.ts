import { expect, test } from "vitest";
import { expectAccessible, inBrowser, PHONE, row, settled } from "../support.ts";

inBrowser("the marketplace", (portal) => {
  const offered = async (q: string) => (await portal.call("GET", `/v1/partners/marketplace?q=${q}`)).body.data[0];
  const bought = async (status: string) =>
    (await portal.call("GET", `/v1/partners/purchases?role=buyer&status=${status}`)).body.data.map(
      ({ snapshot_name }: { snapshot_name: string }) => snapshot_name,
    );

  test("an offer at a price is bought, waits for the operator's word, and is in the catalogue then", async () => {
    const page = await portal.open("/snapshots/marketplace");
    await row(page, "Yoga studio").filter({ hasText: "Fjord Studio" }).filter({ hasText: "€49.00" }).waitFor();
    await row(page, "Law firm").filter({ hasText: "yours" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Free", exact: true }).click();
    await row(page, "Yoga studio").waitFor({ state: "detached" });
    await row(page, "Bicycle workshop").filter({ hasText: "bought" }).waitFor();
    await page.getByRole("button", { name: "With a price" }).click();
    await row(page, "Yoga studio").press("Enter");

    await page.getByRole("heading", { level: 1, name: "Yoga studio" }).waitFor();
    await page.getByText("Trial lessons and memberships").waitFor();
    await page.getByRole("listitem").filter({ hasText: "1 message template" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Buy for €49.00…" }).click();
    const dialog = page.getByRole("dialog", { name: "Buy Yoga studio?" });
    await dialog.getByText("every later version").waitFor();
    await dialog.getByRole("button", { name: "Buy for €49.00" }).click();
    await page.getByText("€49.00 is due", { exact: true }).waitFor();
    expect(await bought("due")).toEqual(["Yoga studio"]);
    await page.getByRole("button", { name: "Cancel the purchase…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the purchase" }).click();
    await page.getByText("The purchase is cancelled").waitFor();
    expect([await bought("due"), await bought("cancelled")]).toEqual([[], ["Yoga studio"]]);
    await page.getByRole("button", { name: "Buy for €49.00…" }).click();
    await dialog.getByRole("button", { name: "Buy for €49.00" }).click();
    await page.getByText("€49.00 is due", { exact: true }).waitFor();

    const operator = await portal.open("/", { as: "operator" });
    const waiting = operator.getByRole("listitem").filter({ hasText: "Purchase due" }).filter({ hasText: "Yoga studio" });
    await waiting.getByRole("link", { name: "Review Yoga studio" }).click();
    const panel = operator.getByRole("complementary", { name: "Yoga studio" });
    await panel.getByText("€39.20, 80%").waitFor();
    await settled(operator);
    await expectAccessible(operator);
    await panel.getByRole("button", { name: "Complete…" }).click();
    await operator.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
    await operator.getByText("Northwind Agency has Yoga studio").waitFor();
    await row(operator, "Yoga studio").waitFor({ state: "detached" });
    expect(await bought("completed")).toContain("Yoga studio");

    await page.reload();
    await page.getByRole("button", { name: "Open in your catalogue" }).click();
    await page.getByRole("heading", { level: 1, name: "Yoga studio" }).waitFor();
    await page.getByRole("button", { name: "Deploy…" }).waitFor();
    expect(await page.getByRole("button", { name: "Marketplace", exact: true }).count()).toBe(0);
  });

  test("an own snapshot is offered, refused with a reason, submitted again and listed; then it is withdrawn", async () => {
    const snapshot = (await portal.call("GET", "/v1/partners/snapshots?q=consultations")).body.data[0];
    const page = await portal.open(`/snapshots/${snapshot.id}`);
    await page.getByRole("button", { name: "Marketplace", exact: true }).click();
    await page.getByRole("button", { name: "Offer it…" }).click();
    const form = page.getByRole("dialog", { name: "Offer Consultations" });
    await form.getByRole("textbox", { name: "Price" }).fill("120");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Submit to review" }).click();
    await page.getByText("v3 waits for the operator", { exact: true }).first().waitFor();
    await page.getByText("Nobody else sees it before.").waitFor();

    const operator = await portal.open("/marketplace", { as: "operator" });
    await row(operator, "Consultations").press("Enter");
    const panel = operator.getByRole("complementary", { name: "Consultations" });
    await panel.getByRole("heading", { name: "Custom fields" }).waitFor();
    await panel.getByRole("button", { name: "Refuse…" }).click();
    await panel.getByRole("textbox", { name: "Why not" }).fill("The description is too short.");
    await settled(operator);
    await expectAccessible(operator);
    await panel.getByRole("button", { name: "Refuse", exact: true }).click();
    await operator.getByText("Consultations v3 is refused").waitFor();

    await page.reload();
    await page.getByText("The operator keeps it off the marketplace").waitFor();
    await page.getByText("The description is too short.").waitFor();
    await expectAccessible(page);
    const description = "From the first question to an engagement, with all its messages";
    expect((await portal.call("PATCH", `/v1/partners/snapshots/${snapshot.id}`, { description })).status).toBe(200);
    await page.reload();
    await page.getByRole("button", { name: "Submit again…" }).click();
    await page.getByRole("button", { name: "Save and submit" }).click();
    await page.getByText("v3 waits for the operator", { exact: true }).first().waitFor();

    await operator.goto(`${portal.base_url()}/portal/marketplace?open=${snapshot.id}`);
    await panel.getByRole("button", { name: "Approve" }).click();
    await operator.getByText("Consultations v3 is listed").waitFor();
    expect(await offered("consultations")).toMatchObject({ price_cents: 12_000, latest_version: 3, description });
    await panel.getByRole("button", { name: "Take down…" }).click();
    await panel.getByRole("textbox", { name: "Why it is taken down" }).fill("Its messages promise too much.");
    await panel.getByRole("button", { name: "Take down", exact: true }).click();
    await operator.getByText("Consultations is taken down").waitFor();
    await panel.getByText("You keep it off the marketplace").waitFor();
    expect(await offered("consultations")).toBeUndefined();
    await page.reload();
    await page.getByText("Its messages promise too much.").waitFor();
    await page.getByRole("button", { name: "Submit again…" }).click();
    await page.getByRole("button", { name: "Save and submit" }).click();
    await page.getByText("v3 waits for the operator", { exact: true }).first().waitFor();
    await operator.reload();
    await panel.getByRole("button", { name: "Approve" }).click();
    await operator.getByText("Consultations v3 is listed").waitFor();

    await page.reload();
    await page.getByText("v3 listed").waitFor();
    await page.getByRole("button", { name: "Withdraw…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("Consultations is no longer offered").waitFor();
    await page.getByRole("heading", { name: "Not on the marketplace" }).waitFor();
    expect(await offered("consultations")).toBeUndefined();
  });

  test("a review shows what is new against the version that is listed", async () => {
    const { id } = await offered("dental");
    const page = await portal.open(`/marketplace?open=${id}`, { as: "operator", viewport: PHONE });
    const panel = page.getByRole("complementary", { name: "Dental practice" });
    await panel.getByRole("heading", { name: "New against v1" }).waitFor();
    await panel.getByRole("listitem").filter({ hasText: "add Anxious tag" }).waitFor();
    await panel.getByText("A tag for patients who are afraid").waitFor();
    await settled(page);
    await expectAccessible(page);
  });

  test("who may only read sees purchases and the offer, and cannot withdraw it", async () => {
    const { id } = await offered("law");
    const page = await portal.open("/snapshots/purchases", { as: "reader" });
    await row(page, "Law firm").filter({ hasText: "due" }).filter({ hasText: "$79.20" }).waitFor();
    await page.goto(`${portal.base_url()}/portal/snapshots/${id}?show=listing`);
    await page.getByRole("heading", { name: "The offer" }).waitFor();
    expect(await page.getByRole("button", { name: "Withdraw…" }).count()).toBe(0);
  });
});
