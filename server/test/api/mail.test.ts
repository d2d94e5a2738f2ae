import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, expect, test } from "vitest";
import { queueMail } from "../../src/platform/mail/queue.ts";
import { createMailSender } from "../../src/platform/mail/smtp.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "../harness/certificate.ts";
import { type MailServer, startMailServer } from "../harness/mail-server.ts";
import { newUser, PORTAL, SAME_ORIGIN } from "../harness/people.ts";
import { useWorld } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const server = await startMailServer({
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith("gone") ? Object.assign(new Error("no such mailbox"), { responseCode: 550 }) : null),
});
const FROM = "Tributary <no-reply@tributary.example>";
const world = useWorld({}, "all", { mail: { url: server.url, from: FROM } });
afterAll(() => server.close());

const others: MailServer[] = [];
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
});

const MESSAGE = { to: "nora@northwind.example", subject: "Grüße", text: "plain\n", html: "<p>rich</p>" };
const queued = () =>
  world.db.sql<{ attempts: number; last_error: string | null }>("select attempts, last_error from outgoing_mail");

async function invite(email: string): Promise<void> {
  const { id } = await newUser(world, await world.newPartner(), { email, invited: true });
  const now = world.clock.now();
  const expires_at = new Date(now.getTime() + 7 * 24 * 3_600_000);
  await queueMail(world.app.services.db, { kind: "invitation", about: id, now, expires_at });
}

test("an e-mail that was refused for now is sent later, with a link that works", async () => {
  server.refuse(2);
  await invite("later@test.example");
  for (const attempts of [1, 2]) {
    await eventually(`attempt ${attempts}`, async () => {
      const [mail] = await queued();
      return mail?.attempts === attempts && /busy|451/.test(mail.last_error ?? "") ? true : null;
    });
    expect(server.received).toEqual([]);
    world.clock.advance(30_000);
  }
  const [mail] = await server.to("later@test.example");
  const token = /portal\/invitation#([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  const { status } = await world.call("POST", `${PORTAL}/invitations/look`, { body: { token }, headers: SAME_ORIGIN });
  expect(status).toBe(200);
  await eventually("the queue to be empty", async () => ((await queued()).length === 0 ? true : null));
});

test("an e-mail that a dead process had claimed is sent by another one, under the same Message-ID", async () => {
  await invite("claimed@test.example");
  await server.to("claimed@test.example");
  await invite("again@test.example");
  await world.db.sql("update outgoing_mail set attempts = 1, due_at = due_at + interval '5 minutes'");
  world.clock.advance(5 * 60_000);
  const [mail] = await server.to("again@test.example");
  expect(mail?.headers["message-id"]).toMatch(/^<mail\.\d+@tributary\.example>$/);
});

test("an address that the server will never accept is given up, and others are not delayed", async () => {
  await invite("gone@test.example");
  await invite("here@test.example");
  await server.to("here@test.example");
  await eventually("the queue to be empty", async () => ((await queued()).length === 0 ? true : null));
  expect(server.received.filter(({ to }) => to.includes("gone@test.example"))).toEqual([]);
});

test("an e-mail with nothing to say any more is not sent", async () => {
  const now = world.clock.now();
  const expires_at = new Date(now.getTime() + 1_000);
  for (const about of ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4", "nobody"])
    await queueMail(world.app.services.db, { kind: "invitation", about, now, expires_at });
  await queueMail(world.app.services.db, { kind: "of another version", about: "x", now, expires_at });
  await eventually("the queue to be empty", async () => ((await queued()).length === 0 ? true : null));
});

test("TLS is used from the start or by STARTTLS, with a certificate that is checked", async () => {
  const certificate = { key: CERTIFICATE_KEY, cert: CERTIFICATE };
  const [secure, upgraded] = [await startMailServer({ secure: true, ...certificate }), await startMailServer(certificate)];
  others.push(secure, upgraded);
  for (const { url } of others)
    await expect(createMailSender({ url, from: FROM }).send("1", MESSAGE)).rejects.toThrow(/self-signed/);
  const known = getCACertificates("default");
  setDefaultCACertificates([...known, CERTIFICATE]);
  try {
    for (const { url, received } of others) {
      await createMailSender({ url, from: FROM }).send("1", MESSAGE);
      expect(received.map(({ tls }) => tls)).toEqual([true]);
    }
  } finally {
    setDefaultCACertificates(known);
  }
});

test("without TLS nothing is sent to another machine, unless the URL allows it", async () => {
  const plain = await startMailServer();
  others.push(plain);
  const { port } = new URL(plain.url);
  const elsewhere = `smtp://127.0.0.2:${port}`;
  // 127.0.0.2 is this machine, but not one of the names that count as such.
  const reachable = await startMailServer({}, "?tls=off");
  others.push(reachable);
  await expect(createMailSender({ url: elsewhere, from: FROM }).send("1", MESSAGE)).rejects.toThrow();
  await createMailSender({ url: reachable.url, from: FROM }).send("2", MESSAGE);
  expect([plain.received, reachable.received.map(({ tls }) => tls)]).toEqual([[], [false]]);
  expect(reachable.received[0]?.headers.subject).toBe("=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=");
});

test("credentials of the URL are used", async () => {
  const given: string[] = [];
  const closed = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      given.push(`${username} ${password}`);
      done(null, { user: username });
    },
  });
  others.push(closed);
  const url = closed.url.replace("smtp://", "smtp://mailer%40example.com:p%2Fss@");
  await createMailSender({ url, from: FROM }).send("1", MESSAGE);
  expect(given).toEqual(["mailer@example.com p/ss"]);
});
