import { afterAll, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { BASE } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const EMAIL = "sofia@northwind.example";
const MAIL_FROM = "Tributary <no-reply@tributary.example>";
let reached = 0;
/** A server that accepts the connection and then says nothing more. */
const silent = await startMailServer({
  onMailFrom() {
    reached += 1;
  },
});
const server = await startMailServer();
const cluster = useCluster(1, { SMTP_URL: silent.url, MAIL_FROM });
afterAll(() => Promise.all([silent.close(), server.close()]));

test("an e-mail whose process is killed while it is being sent is sent by the next one", async () => {
  const first = cluster.service(0);
  const body = { name: "Sofia Reyes", email: EMAIL, role: "member", accounts: "all" };
  const { status } = await first.call("POST", `${BASE}/users`, { key: cluster.key, body });
  expect(status).toBe(201);
  await eventually("the e-mail to be on its way", () => (reached > 0 ? true : null));
  await first.kill();
  // What the dead process has claimed is due again after five minutes.
  await cluster.db.sql("update outgoing_mail set due_at = now()");
  const second = await cluster.start({ SMTP_URL: server.url });
  const [mail] = await server.to(EMAIL);
  const token = /\/portal\/invitation#([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  const look = await second.call("POST", "/portal/api/invitations/look", {
    body: { token },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(look.body).toMatchObject({ email: EMAIL, name: "Sofia Reyes", company: expect.any(String) });
});
