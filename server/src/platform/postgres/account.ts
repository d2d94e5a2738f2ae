import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The user PostgreSQL runs as. `borrowed`: we are root and start it as another user. */
export type Account = { uid: number; gid: number; name: string; borrowed: boolean };

const UNPRIVILEGED_NAMES = ["postgres", "nobody"];

type PasswdEntry = { name: string; uid: number; gid: number };

/** Parses /etc/passwd; macOS writes the uid of nobody as -2, which the kernel reads as unsigned. */
export function parsePasswd(text: string): PasswdEntry[] {
  return text
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 4 && /^-?\d+$/.test(fields[2] ?? "") && /^-?\d+$/.test(fields[3] ?? ""))
    .map((fields) => ({ name: fields[0] ?? "", uid: Number(fields[2]) >>> 0, gid: Number(fields[3]) >>> 0 }));
}

/** Chooses an existing unprivileged user: no user is added to the machine. */
export function chooseUnprivileged(entries: PasswdEntry[]): Account {
  for (const name of UNPRIVILEGED_NAMES) {
    const entry = entries.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (entry) return { ...entry, borrowed: true };
  }
  return { name: "nobody", uid: 65534, gid: 65534, borrowed: true };
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function ownAccount(): Account {
  const uid = process.getuid?.() ?? 0;
  return { uid, gid: process.getgid?.() ?? 0, name: `uid ${uid}`, borrowed: false };
}

/** The account to run `data` with: its owner, because PostgreSQL requires that, or an unprivileged one for new data. */
export async function accountFor(data: string): Promise<Account> {
  if (!isRoot()) return ownAccount();
  const entries = parsePasswd(await readFile("/etc/passwd", "utf8").catch(() => ""));
  const owner = await stat(data).catch(() => null);
  if (owner === null || owner.uid === 0) return chooseUnprivileged(entries);
  const entry = entries.find((candidate) => candidate.uid === owner.uid);
  return { uid: owner.uid, gid: entry?.gid ?? owner.gid, name: entry?.name ?? `uid ${owner.uid}`, borrowed: true };
}

/** The options of `spawn` to run a program as the account. */
export function identityOf(account: Account): { uid?: number; gid?: number } {
  return account.borrowed ? { uid: account.uid, gid: account.gid } : {};
}

type ModeBits = { mode: number; uid: number; gid: number };

/** Whether the mode bits allow the account all of `wanted` (read 4, write 2, execute 1). */
export function hasPermission(file: ModeBits, account: Account, wanted: number): boolean {
  const shift = file.uid === account.uid ? 6 : file.gid === account.gid ? 3 : 0;
  return ((file.mode >> shift) & wanted) === wanted;
}

/** The outermost of `folder` and its parents that the account cannot enter, or null. */
export async function closedFolderOrNull(folder: string, account: Account): Promise<string | null> {
  const chain: string[] = [];
  for (let at = await realpath(folder); ; at = dirname(at)) {
    chain.unshift(at);
    if (at === dirname(at)) break;
  }
  for (const ancestor of chain) {
    if (!hasPermission(await lstat(ancestor), account, 1)) return ancestor;
  }
  return null;
}
