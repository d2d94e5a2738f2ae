import { ImapFlow } from "imapflow";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createMailboxReader } from "../../src/features/inbox/channels/index.ts";
import { receive } from "../../src/features/inbox/conversations/index.ts";
import { type Position, readMailbox } from "../../src/platform/mail/mailbox.ts";
import { conversationsOf } from "../harness/conversations.ts";
import { type ImapServer, startImapServer } from "../harness/imap-server.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const world = useWorld({ egress: "development" }, "api");
const PASSWORD = "open sesame";
let partner: TestPartner;
let server: ImapServer;
let channel: Json;
const { call } = conversationsOf(world, () => partner);
const readers: { stop(): Promise<void> }[] = [];
const delayed: unknown[] = [];

/** A reader like that of a worker. */
function startReader(): void {
  const options = { receive, delayed: (error: unknown) => void delayed.push(error), look_every_ms: 10, read_every_ms: 0 };
  const reader = createMailboxReader(world.app.services, options);
  reader.start();
  readers.push(reader);
}

const mailOf = (id: string) =>
  `From: ada@home.example\r\nTo: support@acme.example\r\nSubject: ${id}\r\nMessage-ID: <${id}@home.example>\r\n\r\nHello ${id}\r\n`;
const subjects = async (): Promise<string[]> =>
  (await call("GET", `/conversations?channel_id=${channel.id}&limit=100`)).body.data.map(({ subject }: Json) => subject).sort();
const mailbox = async (): Promise<Json> => (await world.db.sql("select * from mailboxes where channel_id = $1", [channel.id]))[0];
const untilRead = (last_uid: number) =>
  eventually(`the mailbox to be read to ${last_uid}`, async () => {
    const row = await mailbox();
    return row?.uid_validity !== null && Number(row.last_uid) === last_uid ? row : null;
  });

beforeAll(async () => {
  partner = await world.newPartner();
  const account_id = (await world.newClient(partner)).id;
  server = await startImapServer(PASSWORD);
  const host = { host: "127.0.0.1", tls: "none" };
  const config = {
    from: "support@acme.example",
    smtp: { ...host, port: 2525, user: "support" },
    imap: { ...host, port: server.port },
  };
  const body = { account_id, kind: "email", name: "Support", config, secrets: { smtp_password: PASSWORD } };
  const created = await call("POST", "/channels", body);
  expect([created.status, created.text]).toEqual([201, created.text]);
  channel = created.body;
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.stop()));
  expect(delayed.splice(0)).toEqual([]);
});
afterAll(() => server.close());

test("a mailbox is read from the moment that it is set, and each mail is stored once, in any number of processes", async () => {
  server.add(mailOf("old"));
  startReader();
  await untilRead(7);
  const ids = Array.from({ length: 12 }, (_, index) => `new-${String(index).padStart(2, "0")}`);
  startReader();
  startReader();
  for (const id of ids) server.add(mailOf(id));
  await untilRead(19);
  expect(await subjects()).toEqual(ids);
});

test("numbers that begin anew bring nothing twice", async () => {
  const before = await subjects();
  server.renumber();
  server.add(mailOf("later"));
  startReader();
  await eventually("the mailbox to be read anew", async () => Number((await mailbox()).uid_validity) === 2 || null);
  await untilRead(14);
  expect(await subjects()).toEqual([...before, "later", "old"].sort());
});

test("a refused login is an error of the channel", async () => {
  await call("PATCH", `/channels/${channel.id}`, { secrets: { imap_password: "wrong" } });
  startReader();
  const failed = await eventually("the channel to be in error", async () => {
    const { body } = await call("GET", `/channels/${channel.id}`);
    return body.status === "error" ? body : null;
  });
  expect(failed.last_error).toMatchObject({ code: "imap_login" });
});

test("the mailbox of an archived channel is forgotten, and nothing comes from it any more", async () => {
  await call("PATCH", `/channels/${channel.id}`, { secrets: { imap_password: PASSWORD } });
  const before = await subjects();
  await call("DELETE", `/channels/${channel.id}`);
  server.add(mailOf("too-late"));
  world.clock.advance(5 * 60_000);
  startReader();
  await eventually("the mailbox to be forgotten", async () => (await mailbox()) === undefined || null);
  expect(await subjects()).toEqual(before);
});

/** A mailbox of a real server, such as Dovecot: imap://user:password@127.0.0.1:143. What the test writes into it stays there. */
const REAL = process.env.TEST_IMAP_URL;

test.runIf(REAL !== undefined)("a real server is read the same way", async () => {
  const { hostname: host, port, username: user, password } = new URL(REAL ?? "");
  const login = { host, port: Number(port || 143), tls: "none" as const, user, password, folder: "INBOX" };
  const position: Position = { uid_validity: null, last_uid: 0 };
  const texts: string[] = [];
  const read = () =>
    readMailbox(login, position, {
      reach: world.app.services.outbound.mail,
      now: new Date(),
      signal: AbortSignal.timeout(20_000),
      limit: 10,
      take: async ({ raw }) => void texts.push(raw.toString().trim().split("\n").at(-1) ?? ""),
      reached: async (reached) => void Object.assign(position, reached),
    });
  await read();
  const client = new ImapFlow({
    host,
    port: login.port,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: password },
    logger: false,
  });
  await client.connect();
  for (const id of ["one", "two"]) await client.append("INBOX", mailOf(id));
  await client.logout();
  await read();
  await read();
  expect(texts).toEqual(["Hello one", "Hello two"]);
});
