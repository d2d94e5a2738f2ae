import { expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { BROWSER } from "../harness/links.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { BASE, GENERAL, nextPhone } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const cluster = useCluster(1);
const CLICKS = 200;
/** What is not stored yet is at most that of the last 250 ms, and what arrives meanwhile. */
const BUFFER = 500;

/** Follows a link; null when the service is gone. */
async function follow({ base_url }: ServiceProcess, code: string): Promise<string | null> {
  const headers = { "user-agent": BROWSER };
  const reply = await fetch(`${base_url}/r/${code}`, { headers, redirect: "manual" }).catch(() => null);
  return reply === null ? null : new URL(reply.headers.get("location") ?? "").searchParams.get("click_id");
}

async function call(service: ServiceProcess, path: string, body?: object) {
  const method = body === undefined ? "GET" : "POST";
  const reply = await service.call(method, path, { key: cluster.key, ...(body === undefined ? {} : { body }) });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

test("kill -9 loses the statistics of the buffer at most, and every click that was answered is still attributed", async () => {
  const service = cluster.service(0);
  const link = await call(service, `${BASE}/affiliate-links`, { destination_url: "https://shop.example/" });
  const clicks: string[] = [];
  const clicking = async () => {
    for (let click = await follow(service, link.code); click !== null; click = await follow(service, link.code))
      clicks.push(click);
  };
  const stream = Promise.all([clicking(), clicking()]);
  await eventually("clicks", () => clicks.length >= CLICKS || null);
  await service.kill();
  await stream;
  const last = clicks.at(-1) ?? "";
  const again = await cluster.start();
  const stored = async () => (await call(again, `${BASE}/affiliate-links/${link.id}/stats`)).totals.clicks;
  const kept = await stored();
  expect(kept).toBeLessThanOrEqual(clicks.length);
  expect(kept).toBeGreaterThanOrEqual(clicks.length - BUFFER);
  const rows = await cluster.db.sql<{ id: string }>("select id from clicks where link_id = $1", [link.id]);
  expect(rows).toHaveLength(kept);
  const known = new Set(rows.map(({ id }) => id));
  const lost = clicks.find((click) => !known.has(click.split(".")[0] ?? "")) ?? last;
  for (const click_id of [clicks[0], lost, last]) {
    const lead = await call(again, `${GENERAL}/leads`, { name: "Visitor", phone: nextPhone(), source: { click_id } });
    expect(lead.affiliate_link_id).toBe(link.id);
  }
});

test("a shutdown stores what was clicked until then", async () => {
  const service = await cluster.start();
  const link = await call(service, `${BASE}/affiliate-links`, { destination_url: "https://shop.example/" });
  const clicks = await Promise.all(Array.from({ length: 40 }, () => follow(service, link.code)));
  expect(clicks).not.toContain(null);
  expect((await service.stop()).code).toBe(0);
  const rows = await cluster.db.sql("select id from clicks where link_id = $1", [link.id]);
  expect(rows).toHaveLength(40);
});
