import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, expectFits, inBrowser, PHONE, row } from "../support.ts";

inBrowser("deals", (portal) => {
  const dealOf = async (company: string) =>
    (await portal.call("GET", `/v1/deals?company=${encodeURIComponent(company)}`)).body.data[0];
  const card = (page: Page, company: string) => page.getByRole("button", { name: new RegExp(`^${company},`) });
  const column = (page: Page, stage: string) => page.getByRole("region", { name: stage, exact: true });
  const inColumn = (page: Page, stage: string, company: string) =>
    column(page, stage).getByRole("button", { name: new RegExp(`^${company},`) });

  test("a deal that is dragged to won is won, and the page says what followed", async () => {
    const page = await portal.open("/deals");
    await card(page, "Dune Architects").waitFor();
    await expectAccessible(page);
    // The code that drags may not be there yet.
    await page.locator("[data-card][draggable=true]", { hasText: "Dune Architects" }).waitFor();
    await card(page, "Dune Architects").dragTo(column(page, "Won"), { targetPosition: { x: 80, y: 300 } });
    await page.getByRole("heading", { name: "Dune Architects is won" }).waitFor();
    await page.getByText(/^New client/).waitFor();
    await page.getByRole("button", { name: /^evt_/ }).waitFor();
    await expectAccessible(page);
    const deal = await dealOf("Dune Architects");
    expect(deal).toMatchObject({ status: "won", client_id: expect.stringMatching(/^cli_/) });
    expect(await page.getByRole("link", { name: "Dune Architects" }).getAttribute("href")).toContain(deal.client_id);
    await inColumn(page, "Won", "Dune Architects").waitFor();
  });

  test("the same by keyboard: ] moves to the next stage, m to any, and a move can be taken back", async () => {
    const page = await portal.open("/deals");
    await card(page, "Foxglove Florists").focus();
    await page.keyboard.press("]");
    await inColumn(page, "Qualified", "Foxglove Florists").waitFor();
    await page.getByText("Foxglove Florists is in Qualified").waitFor();
    await expect.poll(async () => (await dealOf("Foxglove Florists")).stage).toBe("Qualified");
    await page.getByRole("button", { name: "Undo" }).click();
    await inColumn(page, "New", "Foxglove Florists").waitFor();
    await expect.poll(async () => (await dealOf("Foxglove Florists")).stage).toBe("New");
    await card(page, "Foxglove Florists").focus();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Won" }).press("Enter");
    await page.getByRole("heading", { name: "Foxglove Florists is won" }).waitFor();
    await page.getByText("Foxglove Florists moved from New to Won").waitFor({ state: "attached" });
    expect((await dealOf("Foxglove Florists")).status).toBe("won");
  });

  test("whoever is slower sees where the deal is, and who moved it there", async () => {
    portal.allow(/409/);
    const page = await portal.open("/deals");
    const { id } = await dealOf("Cobalt Cycles");
    await card(page, "Cobalt Cycles").focus();
    await page.route("**/v1/deals/*/stage", async (route) => {
      await portal.call("POST", `/v1/deals/${id}/stage`, { stage: "Negotiation" });
      await route.continue();
    });
    await page.keyboard.press("[");
    const said = page.getByRole("alert").filter({ hasText: "Cobalt Cycles was not moved" });
    await said.getByText(/moved it to Negotiation/).waitFor();
    await inColumn(page, "Negotiation", "Cobalt Cycles").waitFor();
    const history = (await portal.call("GET", `/v1/deals/${id}/history`)).body.data;
    expect(await said.textContent()).toContain(history[0].moved_by_name);
  });

  test("a lost deal asks for its reason", async () => {
    const page = await portal.open("/deals");
    await card(page, "Amber Veterinary").focus();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Lost" }).click();
    await page.getByRole("dialog", { name: "Why is Amber Veterinary lost?" }).getByLabel("Reason").fill("Chose another tool");
    await page.keyboard.press("Enter");
    await page.getByText("Amber Veterinary is in Lost").waitFor();
    expect(await dealOf("Amber Veterinary")).toMatchObject({ status: "lost", lost_reason: "Chose another tool" });
    await page.getByRole("button", { name: /^Show \d+ in Lost/ }).click();
    await inColumn(page, "Lost", "Amber Veterinary").waitFor();
  });

  test("a stage asks for what is missing, and the move is repeated", async () => {
    portal.allow(/422|409/);
    const made = await portal.call("POST", "/v1/partners/deals", { company: "Tern Harbour Tours", plan: "Growth" });
    const page = await portal.open("/deals");
    await card(page, "Tern Harbour Tours").focus();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Won" }).click();
    await page.getByLabel("Monthly revenue").fill("249");
    await page.getByRole("button", { name: "Save and move to Won" }).click();
    await page.getByRole("heading", { name: "Tern Harbour Tours is won" }).waitFor();
    const { body } = await portal.call("GET", `/v1/deals/${made.body.id}`);
    expect(body).toMatchObject({ status: "won", mrr_cents: 24_900 });
  });

  test("registering meets a company that is taken, and then one that is free", async () => {
    portal.allow(/409/);
    const page = await portal.open("/deals?new=yes");
    await page.getByLabel("Company").fill("Gull Island Ferries");
    await page
      .getByRole("status")
      .getByText(/^Taken: protected until/)
      .waitFor();
    await page.getByLabel("Plan").fill("Growth");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByText(/Protected until/).waitFor();
    expect(await page.getByLabel("Company").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Company").fill("Kestrel Kayaks");
    await page.getByText("Free to register.").waitFor();
    await page.getByLabel("Monthly revenue").fill("129.50");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByText(/Kestrel Kayaks is registered, protected until/).waitFor();
    await inColumn(page, "New", "Kestrel Kayaks").waitFor();
    expect(await dealOf("Kestrel Kayaks")).toMatchObject({ sale: true, mrr_cents: 12_950, plan: "Growth" });
  });

  test("the table narrows and opens a deal beside it; a note is written and taken back", async () => {
    const page = await portal.open("/deals?view=table&state=open");
    await row(page, "Gull Island Ferries").waitFor();
    expect(await row(page, "Harbour Dental").count()).toBe(0);
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toMatch(/status=open&format=csv$/);
    await row(page, "Gull Island Ferries").click();
    await page.waitForURL(/open=deal_/);
    await page.getByLabel("Note").fill("They want the evening ferry too.");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("listitem").filter({ hasText: "They want the evening ferry too." }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.getByRole("listitem").filter({ hasText: "evening ferry" }).count()).toBe(0);
  });

  test("an edit does not overwrite what somebody else changed meanwhile, though the page shows it", async () => {
    portal.allow(/412/);
    const { id } = await dealOf("Gull Island Ferries");
    const page = await portal.open(`/deals/${id}?edit=yes`);
    const panel = page.getByRole("complementary", { name: "Edit Gull Island Ferries" });
    await panel.getByLabel("Notes").fill("Mine");
    await portal.call("PATCH", `/v1/deals/${id}`, { tags: ["theirs"] });
    await page.getByRole("term").filter({ hasText: "Tags" }).waitFor();
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByRole("alert").waitFor();
    expect(await panel.getByLabel("Notes").inputValue()).toBe("Mine");
    expect(await dealOf("Gull Island Ferries")).toMatchObject({ tags: ["theirs"], notes: null });
  });

  test("whoever may only read sees the board, and cannot move anything", async () => {
    const page = await portal.open("/deals", { as: "reader" });
    const gull = card(page, "Gull Island Ferries");
    await gull.focus();
    await page.keyboard.press("m");
    await page.keyboard.press("]");
    await gull.dragTo(column(page, "Won"), { targetPosition: { x: 80, y: 300 } });
    expect(await page.getByRole("menuitem").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Register deal" }).count()).toBe(0);
    await gull.click();
    await page.getByRole("heading", { name: "Gull Island Ferries" }).waitFor();
    expect(await page.getByLabel("Note").count()).toBe(0);
    expect(await page.getByRole("button", { name: "More about this deal" }).count()).toBe(0);
    expect((await dealOf("Gull Island Ferries")).stage).toBe("Proposal");
  });

  test("a client's account has deals and a board of its own", async () => {
    const [client] = (await portal.call("GET", "/v1/partners/clients?q=Kite")).body.data;
    const page = await portal.open(`/crm/${client.id}/deals?new=yes`);
    await page.getByLabel("Name").fill("Twenty sails");
    await page.getByLabel("Value").fill("1,250");
    await page.getByRole("button", { name: "Create deal" }).click();
    await page.getByText("Twenty sails is created").waitFor();
    await inColumn(page, "New", "Twenty sails").waitFor();
    const { data } = (await portal.call("GET", `/v1/deals?account_id=${client.id}&q=sails`)).body;
    expect(data).toMatchObject([{ sale: false, amount_cents: 125_000, account_id: client.id }]);
  });

  test("a change of the stages says what it does; the deals of a stage that goes move first", async () => {
    const [client] = (await portal.call("GET", "/v1/partners/clients?q=Morrow")).body.data;
    const pipelines = (await portal.call("GET", `/v1/pipelines?account_id=${client.id}`)).body.data;
    const pipeline = pipelines.find(({ name }: { name: string }) => name === "Sales");
    const body = { account_id: client.id, name: "Will contest", stage: "Proposal" };
    const { id } = (await portal.call("POST", "/v1/deals", body)).body;
    const page = await portal.open(`/crm/${client.id}/pipelines/${pipeline.id}`);
    await page.getByLabel("Name of stage 1").fill("Fresh");
    await page.getByRole("button", { name: "Remove Proposal" }).click();
    await page.getByText(/^Proposal is archived, with \d+ deals? in it\.$/).waitFor();
    await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
    await page.getByRole("combobox", { name: /^Move .* of Proposal to$/ }).click();
    await page.getByRole("option", { name: "Qualified" }).click();
    await page.getByRole("button", { name: "Move Negotiation", exact: true }).focus();
    await page.keyboard.press("ArrowUp");
    await page.getByText("The stages have another order. No deal moves.").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Sales is saved").waitFor();
    const saved = (await portal.call("GET", `/v1/pipelines/${pipeline.id}`)).body;
    expect(saved.stages.map(({ name }: { name: string }) => name)).toEqual(["Fresh", "Negotiation", "Qualified", "Won", "Lost"]);
    expect((await portal.call("GET", `/v1/deals/${id}`)).body.stage).toBe("Qualified");
  });

  test("on a phone one stage is shown at a time, and nothing scrolls sideways", async () => {
    const page = await portal.open("/deals", { viewport: PHONE, colorScheme: "dark" });
    await page.getByRole("button", { name: /^Proposal/ }).click();
    await card(page, "Gull Island Ferries").waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectFits(page);
    await page.getByRole("button", { name: "Move Gull Island Ferries to Negotiation" }).click();
    await page.getByText("Gull Island Ferries is in Negotiation").waitFor();
  });
});
