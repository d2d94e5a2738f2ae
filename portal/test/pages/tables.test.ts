import { expect, test } from "vitest";
import { sized } from "../../../server/test/harness/size.ts";
import { inBrowser, row } from "../support.ts";

const ROWS = sized(20_000, 100_000);
const PAGE_ROWS = 50;
const ROW_PX = 36;

inBrowser("a long table", (portal) => {
  test("draws and reads only what is near the screen, wherever one is in it", async () => {
    await portal.sql(`
      insert into contacts (partner_id, id, account_id, name, phone, created_at, updated_at)
      select c.partner_id, 'con_01krv3caege9z8' || lpad(g::text, 12, '0'), c.id, 'Row ' || g, '+1628' || 2000000 + g, now(), now()
      from clients c, generate_series(1, ${ROWS}) g where c.company = 'Papaya Prints'`);
    const { id } = (await portal.call("GET", "/v1/partners/clients?q=papaya")).body.data[0];
    const page = await portal.open(`/crm/${id}/contacts?sort=created_at`);
    await row(page, /Row 1\D/).waitFor();
    const limits: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/portal/api/v1/contacts") limits.push(searchParams.get("limit") ?? "");
    });
    const screen = Math.ceil((page.viewportSize()?.height ?? 0) / ROW_PX);
    const table = page.getByRole("table");
    let drawn = 0;
    for (let at = 1; at <= 40; at += 1) {
      await table.evaluate((one, px) => one.parentElement?.scrollTo(0, px), at * 10 * ROW_PX);
      await row(page, new RegExp(`Row ${at * 10 + 15}\\D`)).waitFor();
      drawn = Math.max(drawn, await page.getByRole("row").count());
    }
    expect(drawn).toBeLessThan(screen + 30);
    expect(new Set(limits)).toEqual(new Set([String(PAGE_ROWS)]));
    // 415 rows were seen, and 15 more are read before they are.
    expect(limits.length).toBeLessThan(12);
  });
});
