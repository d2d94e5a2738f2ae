import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, inBrowser, row, settled } from "../support.ts";

inBrowser("snapshots", (portal) => {
  const client = async (q: string) => (await portal.call("GET", `/v1/partners/clients?q=${q}`)).body.data[0].id as string;
  const tagsOf = async (account: string) => (await portal.call("GET", `/v1/tags?account_id=${account}&limit=100`)).body.data;
  const tagOf = async (account: string, tag: string) =>
    (await tagsOf(account)).find(({ name }: { name: string }) => name === tag);

  /** Edits the description of a tag in an account, as its staff does. */
  async function edit(account: string, tag: string, description: string): Promise<void> {
    const { id } = await tagOf(account, tag);
    expect((await portal.call("PATCH", `/v1/tags/${id}`, { description })).status).toBe(200);
  }

  async function choose(page: Page, company: string): Promise<void> {
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Client" }).fill(company);
    await page.getByRole("option", { name: company }).click();
  }

  /** A snapshot of one tag. */
  const oneTag = (name: string, description: string) => ({
    format: 1,
    assets: [{ type: "tag", key: "call", spec: { name, description } }],
  });

  async function newSnapshot(name: string): Promise<string> {
    const { status, body } = await portal.call("POST", "/v1/partners/snapshots", { name, manifest: oneTag(name, "Today") });
    expect(status).toBe(201);
    return body.id;
  }

  async function newVersion(id: string, manifest: unknown): Promise<void> {
    expect((await portal.call("POST", `/v1/partners/snapshots/${id}/versions`, { manifest })).status).toBe(201);
  }

  let practice = "";

  test("a client is captured, and a second version says what differs from the first", async () => {
    const source = await client("harbour");
    const page = await portal.open("/snapshots?new=yes");
    await page.getByRole("dialog", { name: "New snapshot" }).getByRole("textbox", { name: "Name" }).fill("Practice");
    await choose(page, "Harbour Dental");
    await page.getByRole("button", { name: "Create snapshot" }).click();
    const leftOut = page.getByRole("dialog", { name: "Left out of Practice" });
    await leftOut.getByRole("listitem").first().waitFor();
    await leftOut.getByRole("button", { name: "Go on" }).click();
    await leftOut.waitFor({ state: "detached" });
    await page.waitForURL(/snapshots\/snap_/);
    practice = /snap_\w+/.exec(page.url())?.[0] ?? "";
    await page.getByText("No client runs it yet.").waitFor();

    await edit(source, "vip", "Answers within the day");
    await portal.call("POST", "/v1/tags", { name: "recall", account_id: source });
    await page.getByRole("button", { name: "New version…" }).click();
    await choose(page, "Harbour Dental");
    await page.getByRole("textbox", { name: "What changes" }).fill("Recalls");
    await page.getByRole("button", { name: "Publish version" }).click();
    await page.getByText("v2 of Practice is ready").waitFor();
    await leftOut.getByRole("button", { name: "Go on" }).click();

    await page.getByRole("button", { name: "Versions" }).click();
    await page.getByRole("button", { name: /^v2\s*Recalls/ }).waitFor();
    await page.getByText("Answers within an hour").waitFor();
    await page.getByText("Answers within the day").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "add recall tag" }).count()).toBeGreaterThan(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("heading", { name: "Message templates" }).waitFor();
  });

  test("a plan comes before a deployment; what both sides changed stands side by side and stays the client's; it can be rolled back", async () => {
    const blue = await client("lantern");
    const page = await portal.open(`/clients/${blue}`);
    await page.getByRole("link", { name: "Deploy a snapshot…" }).click();
    await page.getByRole("heading", { name: "Choose a snapshot to deploy" }).waitFor();
    await row(page, /^Practice/).press("Enter");
    const panel = page.getByRole("complementary", { name: "Deploy Practice" });
    await panel.getByText("v2 is new here").waitFor();
    expect(await tagOf(blue, "recall")).toBeUndefined();
    await settled(page);
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Deploy v2" }).click();
    await page.getByText("v2 of Practice is deployed").waitFor();
    expect(await tagOf(blue, "recall")).toBeDefined();

    await edit(blue, "recall", "Ours");
    const { manifest } = (await portal.call("GET", `/v1/partners/snapshots/${practice}/versions/2`)).body;
    for (const { type, spec } of manifest.assets) if (type === "tag" && spec.name === "recall") spec.description = "Theirs";
    await newVersion(practice, manifest);
    await page.goto(`${portal.base_url()}/portal/snapshots/${practice}?deploy=${blue}`);
    await panel.getByText("1 conflict").waitFor();
    await panel.getByText("from v2 to v3").waitFor();
    await panel.getByRole("listitem").filter({ hasText: "Ours" }).filter({ hasText: "Theirs" }).waitFor();
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Deploy v3" }).click();
    await page.getByText("v3 of Practice is deployed").waitFor();
    expect((await tagOf(blue, "recall")).description).toBe("Ours");

    await panel.getByRole("button", { name: "Roll back…" }).click();
    const dialog = page.getByRole("dialog", { name: "Roll back v3?" });
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await page.getByText("Back at v2").waitFor();
    const { data } = (await portal.call("GET", `/v1/partners/clients/${blue}/snapshots`)).body;
    expect(data.map(({ name, version }: { name: string; version: number }) => [name, version])).toEqual([["Practice", 2]]);
    await page.goto(`${portal.base_url()}/portal/clients/${blue}`);
    await page.getByText("v2, v3 is out").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Practice v3 rolled back, v2 runs again" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Practice v3 deployed over v2" }).waitFor();
  });

  test("a snapshot that a new client did not get says so, and is retried", async () => {
    const assets = Array.from({ length: 201 }, (_, index) => ({
      type: "tag",
      key: `many_${index}`,
      spec: { name: `Many ${index}`, description: null },
    }));
    const many = await portal.call("POST", "/v1/partners/snapshots", { name: "Many tags", manifest: { format: 1, assets } });
    await portal.sql("create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$");
    await portal.sql("create trigger refuse before insert on account_tags for each row execute function refuse()");
    const body = { company: "Tern Bakery", snapshots: [{ snapshot_id: many.body.id }] };
    const { id } = (await portal.call("POST", "/v1/partners/clients", body)).body;
    const page = await portal.open(`/clients/${id}`);
    await page
      .getByText("v1 failed")
      .waitFor()
      .finally(() => portal.sql("drop trigger refuse on account_tags"));
    await expectAccessible(page);
    await page.getByRole("button", { name: "Retry Many tags" }).click();
    await page.getByText("v1, up to date").waitFor();
    expect(await page.getByText("v1 failed").count()).toBe(0);
    expect((await tagsOf(id)).length).toBe(100);
  });

  test("a rollout to every client is started, and ends", async () => {
    const id = await newSnapshot("Call back");
    const page = await portal.open(`/snapshots/${id}`);
    await page.getByRole("button", { name: "Roll out…" }).click();
    const dialog = page.getByRole("dialog", { name: "Roll out Call back" });
    await dialog.getByRole("radio", { name: "Every active client" }).check();
    await dialog.getByRole("combobox", { name: "Who comes first" }).click();
    await page.getByRole("option", { name: "So many clients" }).click();
    await dialog.getByRole("textbox", { name: "Clients", exact: true }).fill("2");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Start rollout" }).click();
    await page.waitForURL(/rollouts\/roll_/);
    await page.getByText("completed", { exact: true }).waitFor();
    const { total } = (await portal.call("GET", `/v1/partners/rollouts?snapshot_id=${id}`)).body.data[0];
    await page.getByText(`${total} of ${total} clients done with Call back v1`).waitFor();
    const phases = page.getByRole("listitem");
    await phases.filter({ hasText: /Canary\s*2 of 2 clients/ }).waitFor();
    await phases.filter({ hasText: `${total - 2} of ${total - 2} clients` }).waitFor();
    await page.getByRole("img", { name: /^Clients a minute/ }).waitFor();
    await page.getByText("stayed within it").waitFor();
    await expectAccessible(page);
    expect(await tagOf(await client("harbour"), "Call back")).toBeDefined();
    await page.goto(`${portal.base_url()}/portal/snapshots/rollouts`);
    await row(page, "Call back v1").waitFor();
  });

  test("a dry run says what would happen, and to how many clients", async () => {
    const id = await newSnapshot("Third call");
    const rollout = (await portal.call("POST", `/v1/partners/snapshots/${id}/rollouts`, { target: "all", dry_run: true })).body;
    const page = await portal.open(`/snapshots/rollouts/${rollout.id}`);
    await page.getByRole("heading", { name: "What would happen" }).waitFor();
    const plan = page.getByRole("button", { name: /clients? 1 added/ }).first();
    await plan.press("Enter");
    await page.getByRole("listitem").filter({ hasText: "add Third call tag call" }).first().waitFor();
    await expectAccessible(page);
    expect(await tagOf(await client("harbour"), "Third call")).toBeUndefined();
  });

  test("a rollout that its canary halted says so, and nobody else has the version", async () => {
    const id = await newSnapshot("Second call");
    const [harbour, blue] = [await client("harbour"), await client("lantern")];
    await portal.call("POST", `/v1/partners/clients/${harbour}/snapshots`, { snapshot_id: id });
    await portal.call("POST", `/v1/partners/clients/${blue}/snapshots`, { snapshot_id: id });
    await edit(harbour, "Second call", "This week");
    await newVersion(id, oneTag("Second call", "Tomorrow"));
    const body = { target: "installed", conflict_policy: "fail", canary: { client_ids: [harbour] }, max_failure_percent: 0 };
    const rollout = (await portal.call("POST", `/v1/partners/snapshots/${id}/rollouts`, body)).body;
    const page = await portal.open(`/snapshots/rollouts/${rollout.id}`);
    await page.getByText("It has halted by itself").waitFor();
    await page.getByText("Too many clients failed.").waitFor();
    await page.getByRole("progressbar", { name: "100% failed, of at most 0%" }).waitFor();
    await row(page, "Harbour Dental").filter({ hasText: "failed" }).waitFor();
    await expectAccessible(page);
    const installs = (await portal.call("GET", `/v1/partners/snapshots/${id}/installs`)).body.data;
    expect(installs.map(({ version }: { version: number }) => version)).toEqual([1, 1]);
    await page.getByRole("button", { name: "Cancel…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the rollout" }).click();
    await page.getByText("cancelled", { exact: true }).first().waitFor();
  });
});
