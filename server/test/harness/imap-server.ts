import { type AddressInfo, createServer, type Socket } from "node:net";

type Stored = { uid: number; raw: string };

export type ImapServer = {
  port: number;
  /** Puts a mail into the folder. */
  add(raw: string): void;
  /** Numbers all mails anew. */
  renumber(): void;
  logins: number;
  close(): Promise<void>;
};

/** As much of an IMAP server as a client needs that reads one folder. */
export async function startImapServer(password: string): Promise<ImapServer> {
  let mails: Stored[] = [];
  let [next, validity] = [7, 1];
  const sockets = new Set<Socket>();
  const state = { logins: 0 };

  function found(criteria: string): number[] {
    const from = Number(/UID (\d+):\*/i.exec(criteria)?.[1] ?? 1);
    const uids = mails.map(({ uid }) => uid).filter((uid) => uid >= from);
    // As real servers do: the range to the end has the last mail in any case.
    return uids.length > 0 || mails.length === 0 ? uids : [mails.at(-1)?.uid ?? 0];
  }

  function fetched(uid: number): string {
    const at = mails.findIndex((mail) => mail.uid === uid);
    const raw = mails[at]?.raw ?? "";
    const bytes = Buffer.byteLength(raw);
    const date = "02-Nov-2026 09:29:00 +0000";
    return `* ${at + 1} FETCH (UID ${uid} RFC822.SIZE ${bytes} INTERNALDATE "${date}" BODY[]<0> {${bytes}}\r\n${raw})\r\n`;
  }

  function answer(command: string, rest: string): { untagged: string; result: string } {
    const ok = (untagged = "", result = "OK done") => ({ untagged, result });
    if (command === "CAPABILITY") return ok("* CAPABILITY IMAP4rev1\r\n");
    if (command === "LOGIN") {
      if (!rest.includes(`"${password}"`)) return ok("", "NO [AUTHENTICATIONFAILED] Invalid credentials");
      state.logins += 1;
      return ok();
    }
    if (command === "LIST" || command === "LSUB") return ok(`* ${command} () "/" INBOX\r\n`);
    if (command === "EXAMINE" || command === "SELECT") {
      const codes = `* OK [UIDVALIDITY ${validity}] ok\r\n* OK [UIDNEXT ${next}] ok\r\n`;
      return ok(`* ${mails.length} EXISTS\r\n* FLAGS (\\Seen)\r\n${codes}`, "OK [READ-ONLY] done");
    }
    if (command === "UID" && /^SEARCH/i.test(rest)) return ok(`* SEARCH ${found(rest).join(" ")}\r\n`);
    if (command === "UID" && /^FETCH/i.test(rest)) return ok(fetched(Number(/^FETCH (\d+)/i.exec(rest)?.[1])));
    return ok();
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    serve(socket, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    add(raw: string) {
      mails.push({ uid: next++, raw });
    },
    renumber() {
      validity += 1;
      mails = mails.map(({ raw }, index) => ({ uid: index + 1, raw }));
      next = mails.length + 1;
    },
    close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  });
}

type Answering = (command: string, rest: string) => { untagged: string; result: string };

function serve(socket: Socket, answer: Answering): void {
  socket.write("* OK [CAPABILITY IMAP4rev1] ready\r\n");
  let buffered = "";
  socket.on("data", (chunk: Buffer) => {
    const lines = (buffered + chunk).split("\r\n");
    buffered = lines.pop() ?? "";
    for (const line of lines) {
      const [, tag = "", command = "", rest = ""] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
      const { untagged, result } = answer(command.toUpperCase(), rest);
      socket.write(`${untagged}${tag} ${result}\r\n`);
    }
  });
}
