import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { eventually } from "../postgres/processes.ts";

/** A real Dovecot: every login with the password has a mailbox of its own. */
export type Dovecot = {
  port: number;
  /** Puts a mail into a mailbox, as its server does with what arrives. */
  add(user: string, raw: string): Promise<void>;
  /** The mails in a mailbox, oldest first. */
  mails(user: string): Promise<string[]>;
  close(): Promise<void>;
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Root may have no mail, and other users may not become somebody else. */
function usersOf({ uid, username }: { uid: number; username: string }): string {
  if (uid === 0) return "";
  return `default_internal_user = ${username}\ndefault_login_user = ${username}\n`;
}

function configOf(folder: string, port: number, password: string): string {
  const me = userInfo();
  const [uid, gid] = me.uid === 0 ? ["mail", "mail"] : [String(me.uid), String(me.gid)];
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
first_valid_gid = 1
${usersOf(me)}
mail_location = maildir:${folder}/mail/%u
mail_home = ${folder}/mail/%u
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`;
}

/** Starts the Dovecot of a path, such as /usr/sbin/dovecot, version 2.3, on a free port of this machine. The password has no space. */
export async function startDovecot(bin: string, password: string): Promise<Dovecot> {
  const folder = await mkdtemp(join(tmpdir(), "dovecot-"));
  // Its processes run as several users.
  await chmod(folder, 0o777);
  await mkdir(join(folder, "mail"));
  await chmod(join(folder, "mail"), 0o777);
  const port = await freePort();
  const config = join(folder, "dovecot.conf");
  await writeFile(config, configOf(folder, port, password));
  const server = spawn(bin, ["-F", "-c", config], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));

  async function inMailbox<T>(user: string, use: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      host: "127.0.0.1",
      port,
      secure: false,
      doSTARTTLS: false,
      auth: { user, pass: password },
      logger: false,
    });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.logout();
    }
  }

  const close = async () => {
    server.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  await eventually("Dovecot to answer", () => inMailbox("nobody", async () => true).catch(() => null)).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    port,
    add: (user, raw) => inMailbox(user, async (client) => void (await client.append("INBOX", raw))),
    mails: (user) =>
      inMailbox(user, async (client) => {
        const lock = await client.getMailboxLock("INBOX", { readOnly: true });
        try {
          const found: string[] = [];
          if (client.mailbox !== false && client.mailbox.exists > 0)
            for await (const { source } of client.fetch("1:*", { source: true })) found.push(source?.toString() ?? "");
          return found;
        } finally {
          lock.release();
        }
      }),
    close,
  };
}
