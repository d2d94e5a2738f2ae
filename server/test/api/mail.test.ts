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
type Queued = { attempts: number; last_error: string | null; due_at: Date };
const queued = () => world.db.sql<Queued>("select attempts, last_error, due_at from outgoing_mail");
const untilEmpty = () => eventually("the queue to be empty", async () => ((await queued()).length === 0 ? true : null));

async function invite(email: string, claimed_until = world.clock.now()): Promise<void> {
  const { id } = await newUser(world, await world.newPartner(), { email, invited: true });
  const now = world.clock.now();
  const expires_at = new Date(now.getTime() + 7 * 24 * 3_600_000);
  await world.db.sql(
    "insert into outgoing_mail (kind, about, created_at, due_at, expires_at) values ('invitation', $1, $2, $3, $4)",
    [id, now, claimed_until, expires_at],
  );
}

test("an e-mail that was refused for now is sent later, with a link that works", async () => {
  server.refuse(2);
  await invite("later@test.example");
  for (const attempts of [1, 2]) {
    await eventually(`attempt ${attempts}`, async () => {
      const [mail] = await queued();
      // While it is being sent it is claimed for longer than until the next attempt.
      const waits = (mail?.due_at.getTime() ?? 0) <= world.clock.now().getTime() + 30_000;
      return mail?.attempts === attempts && waits && /451 busy/.test(mail.last_error ?? "") ? true : null;
    });
    expect(server.received).toEqual([]);
    world.clock.advance(30_000);
  }
  const [mail] = await server.to("later@test.example");
  const token = /portal\/invitation#([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  const { status } = await world.call("POST", `${PORTAL}/invitations/look`, { body: { token }, headers: SAME_ORIGIN });
  expect(status).toBe(200);
  await untilEmpty();
});

test("an e-mail that a dead process had claimed is sent by another one when the claim has ended", async () => {
  const until = new Date(world.clock.now().getTime() + 5 * 60_000);
  await invite("again@test.example", until);
  await invite("new@test.example");
  await server.to("new@test.example");
  expect(server.received.filter(({ to }) => to.includes("again@test.example"))).toEqual([]);
  world.clock.advance(5 * 60_000);
  const [mail] = await server.to("again@test.example");
  expect(mail?.headers["message-id"]).toMatch(/^<mail\.\d+@tributary\.example>$/);
});

test("an address that the server will never accept is given up, and others are not delayed", async () => {
  await invite("gone@test.example");
  await invite("here@test.example");
  await server.to("here@test.example");
  await untilEmpty();
  expect(server.received.filter(({ to }) => to.includes("gone@test.example"))).toEqual([]);
});

test("an e-mail with nothing to say any more is not sent", async () => {
  const now = world.clock.now();
  const expires_at = new Date(now.getTime() + 1_000);
  for (const about of ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4", "nobody"])
    await queueMail(world.app.services.db, { kind: "invitation", about, now, expires_at });
  await queueMail(world.app.services.db, { kind: "of another version", about: "x", now, expires_at });
  await untilEmpty();
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
  // This machine, by an address that does not say so.
  const elsewhere = plain.url.replace("127.0.0.1", "0.0.0.0");
  await expect(createMailSender({ url: elsewhere, from: FROM }).send("1", MESSAGE)).rejects.toThrow(/TLS/i);
  expect(plain.received).toEqual([]);
  await createMailSender({ url: `${elsewhere}?tls=off`, from: FROM }).send("2", MESSAGE);
  expect(plain.received.map(({ tls }) => tls)).toEqual([false]);
  expect(plain.received[0]?.headers.subject).toBe("=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=");
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
