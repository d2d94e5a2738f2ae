import { expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { ADVISORY_LOCKS, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import type { Reply } from "../harness/world.ts";

const cluster = useCluster(2);
const hold = useHolds(() => cluster.db.connect());
const CLIENTS = "/portal/api/v1/partners/clients";

const linkOf = ({ stdout }: ServiceProcess) => /Open http:\S+\/portal\/link#([\w-]{43})/.exec(stdout())?.[1];

/** Signs in by the link that a process of the demo prints when it starts. Only the newest is valid. */
async function signInByLink(): Promise<Record<string, string>> {
  const starter = await cluster.start();
  const { status, headers, text } = await starter.call("POST", "/portal/api/session/link", {
    body: { token: linkOf(starter) },
    headers: { "sec-fetch-site": "same-origin" },
  });
  if (status !== 201) throw new Error(text);
  await starter.stop();
  const [, secret] = /=([\w-]{43});/.exec(String(headers["set-cookie"])) ?? [];
  // The name of the cookie has the port, so that each process has its own.
  const names = cluster.services.map(({ base_url }) => `session_${new URL(base_url).port}=${secret}`);
  return { cookie: names.join("; "), "sec-fetch-site": "same-origin" };
}

const rename = (turn: number, id: string, headers: Record<string, string>): Promise<Reply> =>
  cluster.service(turn).call("PATCH", `${CLIENTS}/${id}`, { headers, body: { company: `Renamed ${turn}` } });

test("a sign-out waits for a write under way, and none that comes later commits, in any process", async () => {
  const headers = await signInByLink();
  const { body: client } = await cluster.service(0).call("POST", CLIENTS, { headers, body: { company: "Shared" } });
  const row = await hold("select 1 from clients where partner_id = $1 and id = $2 for update", [cluster.partner_id, client.id]);
  const write = rename(0, client.id, headers);
  await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
  const order: string[] = [];
  const signOut = cluster
    .service(1)
    .call("DELETE", "/portal/api/session", { headers })
    .then((reply) => {
      order.push("signed out");
      return reply;
    });
  await untilWaiting(cluster.db.sql, ADVISORY_LOCKS, 1);
  const late = rename(1, client.id, headers);
  await untilWaiting(cluster.db.sql, ADVISORY_LOCKS, 2);
  expect(order).toEqual([]);
  await row.release();
  expect([(await write).status, (await signOut).status, (await late).status]).toEqual([200, 204, 401]);
  for (const turn of [0, 1]) expect((await rename(turn, client.id, headers)).status).toBe(401);
  const { body } = await cluster.service(0).call("GET", `/v1/partners/clients/${client.id}`, { key: cluster.key });
  expect([body.company, body.version]).toEqual(["Renamed 0", 2]);
});

test("the link of the demo signs in once, and a later start makes it invalid", async () => {
  const first = await cluster.start();
  const second = await cluster.start();
  const use = (service: ServiceProcess) =>
    second.call("POST", "/portal/api/session/link", {
      body: { token: linkOf(service) },
      headers: { "sec-fetch-site": "same-origin" },
    });
  expect((await use(first)).body.code).toBe("invalid_link");
  const replies = await Promise.all(Array.from({ length: 3 }, () => use(second)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  const session = replies.find(({ status }) => status === 201);
  expect(session?.body).toMatchObject({ user: { name: "Nora Lindqvist", role: "owner" }, demo: true });
});
